import { Alert, Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessPreview } from '../../../../server/src/api-types.ts'
import { jsonOf, sendJson } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'
import { timeZone } from '../../lib/day.ts'
import { fieldMoment } from '../../lib/field-time.ts'
import { Card } from '../../ui/Card.tsx'
import { useForm } from '../../ui/useForm.ts'
import { useSuggestedUsers } from '../../users/useSuggestedUsers.ts'
import classes from './AccessPage.module.css'
import { headersIn } from './header-lines.ts'
import { Outcome } from './Outcome.tsx'

/** What the access preview takes: a user in the database, or the headers that a proxy would send. */
type Tried = { readonly user: string } | { readonly headers: Readonly<Record<string, string | readonly string[]>> }

export function AccessPreviewForm() {
  const texts = useTexts('access')
  const { access } = texts
  const [kind, setKind] = useState<'user' | 'headers'>('user')
  const [time, setTime] = useState('')
  const preview = useMutation({
    mutationFn: ({ time: text, ...tried }: Tried & { readonly time: string }) => {
      const at = fieldMoment(text)
      const body = { ...tried, ...(at !== undefined && { at: new Date(at * 1000).toISOString() }) }
      return jsonOf<AccessPreview>(sendJson('POST /api/access/try', {}, body))
    },
  })
  const change = (next: string) => {
    preview.reset()
    setKind(next === 'headers' ? 'headers' : 'user')
  }

  return (
    <Card title={access.tryTitle} lead={access.tryLead}>
      <SegmentedControl
        className={classes.kinds}
        aria-label={access.kind}
        value={kind}
        onChange={change}
        data={[
          { value: 'user', label: access.byUser },
          { value: 'headers', label: access.byHeaders },
        ]}
      />
      <TextInput
        className={classes.user}
        type="datetime-local"
        label={access.at}
        description={access.atHint({ zone: timeZone() })}
        value={time}
        onChange={({ currentTarget: { value } }) => {
          setTime(value)
          if (preview.variables) preview.mutate({ ...preview.variables, time: value })
        }}
      />
      {kind === 'user' ? (
        <TryUser onTry={(tried) => preview.mutate({ ...tried, time })} onEmpty={preview.reset} />
      ) : (
        <TryHeaders onTry={(tried) => preview.mutateAsync({ ...tried, time })} />
      )}
      <div role="status" aria-label={access.outcome} aria-busy={preview.isPending}>
        {preview.isError && <Alert color="red">{messageOf(preview.error, texts)}</Alert>}
        {preview.data && <Outcome of={preview.data} />}
      </div>
    </Card>
  )
}

function TryUser({ onTry, onEmpty }: { onTry: (body: Tried) => void; onEmpty: () => void }) {
  const { access } = useTexts('access')
  const [typed, setTyped] = useState('')
  const [user, setUser] = useState<string | null>(null)
  const suggested = useSuggestedUsers(typed === user ? '' : typed, 50)
  // The chosen user stays in the list, whatever is typed next.
  const names = user === null || suggested.includes(user) ? suggested : [user, ...suggested]
  return (
    <Select
      className={classes.user}
      label={access.user}
      description={access.userHint}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': access.clear }}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={access.noUser}
      data={names}
      value={user}
      onChange={(chosen) => {
        setUser(chosen)
        if (chosen === null) onEmpty()
        else onTry({ user: chosen })
      }}
    />
  )
}

function TryHeaders({ onTry }: { onTry: (body: Tried) => Promise<unknown> }) {
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
    // The outcome below says so.
    problemsIn: () => ({}),
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
