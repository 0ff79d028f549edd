import type { Decision } from '../access/decide.ts'
import type { Identity } from '../access/identity.ts'
import type { Standing } from '../access/standing.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

/**
 * Why an open stream is ended. `undecided`: it could not be found out whether it may go on, so it may not. `recheck`:
 * the proxy that vouches for the user has to be asked again, by another request.
 */
export type EndReason = Exclude<Decision, 'allow'> | 'undecided' | 'recheck' | 'stopping'

/** A request whose answer still flows. */
export interface OpenStream {
  readonly standing: Standing
  /** The decision that opened it, made again. */
  decideAgain(identity: Identity): Decision
  end(reason: EndReason): void
}

/** Streams are requests that are decided again: whenever a fact changes, and when a session's time is up. */
export interface OpenStreams {
  /** @returns a function to call when the stream has ended by itself. */
  hold(stream: OpenStream): () => void
  decideAllAgain(): void
  readonly count: number
  /** Ends them all, for good. */
  stop(): void
}

/** Milliseconds between two looks at who ran out of time. */
const lookEvery = 250

export function createOpenStreams({ clock, log }: { clock: Clock; log: Log }): OpenStreams {
  const held = new Map<OpenStream, Standing>()

  const end = (stream: OpenStream, reason: EndReason) => {
    if (!held.delete(stream)) return
    stream.end(reason)
  }
  const isOver = ({ endsAt }: Standing) => endsAt !== undefined && endsAt <= clock.elapsed()
  const settle = (stream: OpenStream, standing: Standing) => {
    if (!held.has(stream)) return
    if (isOver(standing)) return end(stream, 'recheck')
    const decision = stream.decideAgain(standing.identity)
    if (decision === 'allow') held.set(stream, standing)
    else end(stream, decision)
  }
  const giveUp = (stream: OpenStream, cause: unknown) => {
    log.warn({ err: cause }, 'a stream ended because nobody could say whether it may go on')
    end(stream, 'undecided')
  }
  const decideOneAgain = (stream: OpenStream, standing: Standing) => {
    try {
      const next = standing.again()
      if (next instanceof Promise) {
        next.then((late) => settle(stream, late)).catch((cause: unknown) => giveUp(stream, cause))
      } else settle(stream, next)
    } catch (cause) {
      giveUp(stream, cause)
    }
  }

  const timer = setInterval(() => {
    const now = clock.now()
    for (const [stream, standing] of held) {
      if (isOver(standing)) end(stream, 'recheck')
      else if (standing.until !== undefined && standing.until <= now) decideOneAgain(stream, standing)
    }
  }, lookEvery).unref()

  return {
    hold(stream) {
      held.set(stream, stream.standing)
      // What changed since it was decided, while its answer was made ready, was told before it was held.
      queueMicrotask(() => held.has(stream) && decideOneAgain(stream, stream.standing))
      return () => void held.delete(stream)
    },
    decideAllAgain() {
      for (const [stream, standing] of held) decideOneAgain(stream, standing)
    },
    get count() {
      return held.size
    },
    stop() {
      clearInterval(timer)
      for (const stream of held.keys()) end(stream, 'stopping')
    },
  }
}
