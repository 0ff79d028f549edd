import { Loader } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { StartedPairing } from '../../../server/src/api-types.ts'
import { ApiError, send } from '../api/api.ts'
import { messageOf } from '../api/failure.ts'
import { useTexts } from '../i18n/texts.ts'
import { clock } from '../lib/format-time.ts'
import { pause } from '../lib/pause.ts'
import { useNow } from '../lib/useNow.ts'
import { Logo } from '../ui/Logo.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import classes from './PairPage.module.css'
import { runPairing, type NewCode, type PairingState } from './pairing-run.ts'

/** Milliseconds between two questions whether the code was confirmed. */
const pollInterval = 2000
/** The same after a failed one, unless the service says when. */
const retryInterval = 5000

/** Shows the code of a display that is to become a screen, in letters that can be read from a distance. */
export function PairPage() {
  const { name, screens } = useTexts('screens')
  const state = usePairing()
  if (state.kind === 'paired') return <Navigate to="/screen" replace />
  return (
    <main className={classes.page}>
      <PageTitle of={screens.pair.title} />
      <div className={classes.name}>
        <Logo size={36} />
        <span>{name}</span>
      </div>
      <h1 className={classes.title}>{screens.pair.title}</h1>
      <Content state={state} />
    </main>
  )
}

function Content({ state }: { state: Exclude<PairingState, { kind: 'paired' }> }) {
  const texts = useTexts('screens')
  const { pair } = texts.screens
  switch (state.kind) {
    case 'starting':
      return <Loader aria-label={pair.starting} />
    case 'failed':
      return (
        <>
          <p className={classes.problem} role="alert">
            {messageOf(state.error, texts)}
          </p>
          <p className={classes.left}>{pair.retrying}</p>
        </>
      )
    case 'waiting':
      return (
        <>
          <p className={classes.lead}>{pair.lead}</p>
          <ol className={classes.steps}>
            <li>{pair.stepSignIn}</li>
            <li>{pair.stepOpen}</li>
            <li>{pair.stepCode}</li>
          </ol>
          <Code code={state.code} />
          <TimeLeft until={state.expiresAt} />
        </>
      )
  }
}

/** A new code is announced. Read aloud it is spelled, and shown in two groups it is easier to copy. */
function Code({ code }: { code: string }) {
  const { screens } = useTexts('screens')
  return (
    <p className={classes.code} role="status">
      <span className="visually-hidden">{screens.pair.code({ code: Array.from(code).join(' ') })}</span>
      <span aria-hidden>{code.slice(0, 4)}</span>
      <span aria-hidden>{code.slice(4)}</span>
    </p>
  )
}

function TimeLeft({ until }: { until: number }) {
  const { screens } = useTexts('screens')
  const now = useNow(1000)
  return <p className={classes.left}>{screens.pair.left({ time: clock(Math.max(0, (until - now) / 1000)) })}</p>
}

function usePairing(): PairingState {
  const [state, setState] = useState<PairingState>({ kind: 'starting' })
  useEffect(() => {
    const leave = new AbortController()
    const { signal } = leave
    void runPairing({
      start: () => start(signal),
      poll: (id) => poll(id, signal),
      pause: (error) => pause(error === undefined ? pollInterval : retryAfter(error), signal),
      onState: setState,
      signal,
    })
    return () => leave.abort()
  }, [])
  return state
}

async function start(signal: AbortSignal): Promise<NewCode> {
  const response = await send('api/pairings', { method: 'POST', signal, signingIn: true })
  const { id, code, expires_at } = (await response.json()) as StartedPairing
  // The clock of a display is often wrong.
  const sent = Date.parse(response.headers.get('date') ?? '') || Date.now()
  return { id, code, expiresAt: Date.now() + Date.parse(expires_at) - sent }
}

async function poll(id: string, signal: AbortSignal): Promise<'waiting' | 'paired' | 'over'> {
  try {
    const { status } = await send(`api/pairings/${id}`, { signal, signingIn: true })
    return status === 200 ? 'paired' : 'waiting'
  } catch (error) {
    if (error instanceof ApiError && error.failure.status === 410) return 'over'
    throw error
  }
}

const retryAfter = (error: unknown): number =>
  error instanceof ApiError && error.failure.retryAfter !== undefined
    ? Math.max(retryInterval, error.failure.retryAfter * 1000)
    : retryInterval
