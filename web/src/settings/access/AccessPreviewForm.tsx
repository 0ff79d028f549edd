import { Alert, SegmentedControl } from '@mantine/core'
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
import { TimeInput } from '../../ui/forms/TimeInput.tsx'
import classes from './AccessPage.module.css'
import { screensQuery } from '../queries.ts'
import { TryCredential, type TryProps } from './TryCredential.tsx'
import { TryHeaders, type TriedHeaders } from './TryHeaders.tsx'
import { TryLink } from './TryLink.tsx'
import { TryUser } from './TryUser.tsx'
import { Outcome } from './Outcome.tsx'
import { previewKinds, type PreviewKind } from './preview-kind.ts'
import { previewedTokensQuery } from './previewed-tokens.ts'

/** What the access preview takes: the key of a user in the database, a credential's id, or the headers that a proxy would send. */
type Tried =
  | { readonly user: string }
  | { readonly token: string }
  | { readonly screen: string }
  | { readonly link: string }
  | TriedHeaders

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
      // The same field for every kind: what has been entered so far is only in the field.
      key="time"
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
      {kind === 'headers'
        ? [timeInput, <TryHeaders key={kind} onTry={(what) => attempt(what, time)} />]
        : [
            <TryById
              key={kind}
              kind={kind}
              onTry={(what) => void attempt(what, time)}
              onEmpty={() => void attempt(undefined, time)}
            />,
            timeInput,
          ]}
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
  const tokens = useQuery(previewedTokensQuery)
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
