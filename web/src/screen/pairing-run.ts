/** What the display shows while it waits. */
export type PairingState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'waiting'; readonly code: string; readonly expiresAt: number }
  /** The next try comes by itself. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'paired' }

/** `expiresAt`: Unix milliseconds by the clock of this display. */
export interface NewCode {
  readonly id: string
  readonly code: string
  readonly expiresAt: number
}

export interface PairingSteps {
  readonly start: () => Promise<NewCode>
  /** `over`: the code expired, or was used. */
  readonly poll: (id: string) => Promise<'waiting' | 'paired' | 'over'>
  /** @param error of the last request, if it failed */
  readonly pause: (error?: unknown) => Promise<void>
  readonly onState: (state: PairingState) => void
  readonly signal: AbortSignal
}

/** Shows a code, asks whether it was confirmed, and begins again once it is over. Ends when the display is paired. */
export async function runPairing({ start, poll, pause, onState, signal }: PairingSteps): Promise<void> {
  let id: string | undefined
  while (!signal.aborted) {
    try {
      if (id === undefined) {
        const started = await start()
        id = started.id
        const { code, expiresAt } = started
        if (!signal.aborted) onState({ kind: 'waiting', code, expiresAt })
      } else {
        const result = await poll(id)
        if (result === 'paired' && !signal.aborted) return onState({ kind: 'paired' })
        if (result === 'over') {
          id = undefined
          continue
        }
      }
      await pause()
    } catch (error) {
      // Without a code on the display, there is nothing to confirm; with one, the next poll may succeed.
      if (id === undefined && !signal.aborted) onState({ kind: 'failed', error })
      await pause(error)
    }
  }
}
