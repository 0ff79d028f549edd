import { Button, Textarea } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import classes from './AccessPage.module.css'
import { headersIn } from './header-lines.ts'

/** What a proxy would send: repeated headers as lists. */
export interface TriedHeaders {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}

interface TryHeadersProps {
  readonly onTry: (body: TriedHeaders) => Promise<unknown>
}

/** Takes the headers that a proxy would send, as text. */
export function TryHeaders({ onTry }: TryHeadersProps) {
  const { access } = useTexts('access')
  const problemIn = (text: string): string | undefined => {
    const pasted = headersIn(text)
    if (!pasted.ok) return access.notAHeader({ line: pasted.line })
    return Object.keys(pasted.headers).length === 0 ? access.headersEmpty : undefined
  }
  const { form, field, isPending } = useForm({
    initialValues: { text: '' },
    check: ({ text }) => ({ text: problemIn(text) }),
    send: async ({ text }) => {
      const pasted = headersIn(text)
      if (pasted.ok) await onTry({ headers: pasted.headers })
    },
  })
  return (
    <form {...form} className={classes.form}>
      <Textarea
        {...field('text')}
        label={access.headers}
        description={access.headersHint}
        placeholder={'X-Forwarded-User: ann\nX-Forwarded-Groups: neighbors'}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: classes.headers ?? '' }}
      />
      <Button type="submit" loading={isPending}>
        {access.submit}
      </Button>
    </form>
  )
}
