import { Alert, Button, SegmentedControl, Select, Textarea, type ComboboxItem } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessPreview } from '../../../../server/src/api-types.ts'
import { jsonOf, sendJson } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'
import { timeZone } from '../../lib/day.ts'
import { fieldMoment } from '../../lib/field-time.ts'
import { oneOf } from '../../lib/one-of.ts'
import { useNarrow } from '../../ui/breakpoints.ts'
import { Card } from '../../ui/Card.tsx'
import { TimeInput } from '../../ui/TimeInput.tsx'
import { useForm } from '../../ui/useForm.ts'
import { useSuggestedUsers } from '../../users/useSuggestedUsers.ts'
import { providerHostOf } from '../../users/provider-host.ts'
import classes from './AccessPage.module.css'
import { allTokensQuery, screensQuery } from '../credentials.ts'
import { nameOf } from './effective-access.ts'
import { headersIn } from './header-lines.ts'
import { TryCredential, type TryProps } from './TryCredential.tsx'
import { TryLink } from './TryLink.tsx'
import { Outcome } from './Outcome.tsx'
import { previewKinds, type PreviewKind } from './preview-kind.ts'

/** What the access preview takes: the key of a user in the database, a credential's id, or the headers that a proxy would send. */
type Tried =
  | { readonly user: string }
  | { readonly token: string }
  | { readonly screen: string }
  | { readonly link: string }
  | { readonly headers: Readonly<Record<string, string | readonly string[]>> }

export function AccessPreviewForm() {
  const texts = useTexts('access')
  const { access } = texts
  const [kind, setKind] = useState<PreviewKind>('user')
  /** undefined: incomplete, so that nothing is previewed. */
  const [time, setTime] = useState<string | undefined>('')
  const [tried, setTried] = useState<Tried>()
  const narrow = useNarrow()
  const preview = useMutation({
    mutationFn: ({ time: text, ...what }: Tried & { readonly time: string }) => {
      const at = fieldMoment(text)
      const body = { ...what, ...(at !== undefined && { at: new Date(at * 1000).toISOString() }) }
      return jsonOf<AccessPreview>(sendJson('POST /api/access/try', {}, body))
    },
  })
  const attempt = async (what: Tried | undefined, at: string | undefined) => {
    setTried(what)
    if (what === undefined || at === undefined) preview.reset()
    // The outcome says how it failed.
    else await preview.mutateAsync({ ...what, time: at }).catch(() => {})
  }
  const change = (next: string) => {
    void attempt(undefined, time)
    setKind(oneOf(previewKinds, next, 'user'))
  }

  const timeInput = (
    <TimeInput
      className={classes.user}
      label={access.at}
      description={access.atHint({ zone: timeZone() })}
      value={time ?? ''}
      onChange={(value) => {
        setTime(value)
        void attempt(tried, value)
      }}
    />
  )

  return (
    <Card title={access.tryTitle} lead={access.tryLead}>
      <SegmentedControl
        className={classes.kinds}
        orientation={narrow ? 'vertical' : 'horizontal'}
        aria-label={access.kind}
        value={kind}
        onChange={change}
        data={previewKinds.map((value) => ({ value, label: access.kinds[value] }))}
      />
      {kind === 'headers' ? (
        <>
          {timeInput}
          <TryHeaders onTry={(what) => attempt(what, time)} />
        </>
      ) : (
        <>
          <TryById
            key={kind}
            kind={kind}
            onTry={(what) => void attempt(what, time)}
            onEmpty={() => void attempt(undefined, time)}
          />
          {timeInput}
        </>
      )}
      <div role="status" aria-label={access.outcome} aria-busy={preview.isPending}>
        {preview.isError && <Alert color="red">{messageOf(preview.error, texts)}</Alert>}
        {preview.data && <Outcome of={preview.data} kind={kind} />}
      </div>
    </Card>
  )
}

function TryById({ kind, ...props }: TryProps<Tried> & { kind: Exclude<PreviewKind, 'headers'> }) {
  if (kind === 'user') return <TryUser {...props} />
  if (kind === 'link') return <TryLink {...props} />
  return kind === 'token' ? <TryToken {...props} /> : <TryScreen {...props} />
}

function TryScreen({ onTry, onEmpty }: TryProps<Tried>) {
  const { access } = useTexts('access')
  const screens = useQuery(screensQuery)
  return (
    <TryCredential
      label={access.screen}
      hint={access.screenHint}
      none={access.noScreens}
      query={screens}
      choices={(screens.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChoose={(screen) => onTry({ screen })}
      onEmpty={onEmpty}
    />
  )
}

function TryToken({ onTry, onEmpty }: TryProps<Tried>) {
  const { access } = useTexts('access')
  const tokens = useQuery(allTokensQuery)
  return (
    <TryCredential
      label={access.token}
      hint={access.tokenHint}
      none={access.noTokens}
      query={tokens}
      choices={(tokens.data ?? []).map(({ id, name, owner }) => ({
        value: id,
        label: access.ownedBy({ name, owner }),
      }))}
      onChoose={(token) => onTry({ token })}
      onEmpty={onEmpty}
    />
  )
}

function TryUser({ onTry, onEmpty }: TryProps<Tried>) {
  const { access } = useTexts('access')
  const [typed, setTyped] = useState('')
  const [user, setUser] = useState<ComboboxItem | null>(null)
  const suggested = useSuggestedUsers(typed === user?.label ? '' : typed, 50).map((each) => ({
    value: each.key,
    label: nameOf({ name: each.username, host: providerHostOf(each) }, access),
  }))
  // The chosen user stays in the list, whatever is typed next.
  const choices = !user || suggested.some(({ value }) => value === user.value) ? suggested : [user, ...suggested]
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
      data={choices}
      value={user?.value ?? null}
      onChange={(key, chosen) => {
        setUser(chosen)
        if (key === null) onEmpty()
        else onTry({ user: key })
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
