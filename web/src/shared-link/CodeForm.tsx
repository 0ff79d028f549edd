import { Button, Paper, TextInput, Stack, Text, Title } from '@mantine/core'
import { useTexts } from '../i18n/texts.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useForm } from '../ui/forms/useForm.ts'
import classes from './SharedLinkPage.module.css'

interface CodeFormProps {
  /** Why a code that was entered before isn't accepted. */
  readonly problem: string | undefined
  /** Opens the link with the code; rejects if it's wrong. */
  readonly onCode: (code: string) => Promise<void>
}

/** Asks for the code of a link. */
export function CodeForm({ problem, onCode }: CodeFormProps) {
  const { sharedLink } = useTexts('shared-link')
  const { form, field, isPending, problems } = useForm({
    initialValues: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? sharedLink.code.missing : undefined }),
    send: ({ code }) => onCode(code.trim()),
    problemsIn: () => ({ code: sharedLink.code.wrong }),
  })
  return (
    <Paper className={classes.card}>
      <PageTitle of={sharedLink.code.title} />
      <Title order={1} size="h3">
        {sharedLink.code.title}
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        {sharedLink.code.lead}
      </Text>
      <form {...form}>
        <Stack>
          <TextInput
            {...field('code')}
            error={problems.code ?? problem}
            label={sharedLink.code.label}
            size="md"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
          <Button type="submit" size="md" loading={isPending} fullWidth>
            {sharedLink.code.submit}
          </Button>
        </Stack>
      </form>
    </Paper>
  )
}
