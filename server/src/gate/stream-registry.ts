import type { Decision } from '../access/decide.ts'
import type { Identity } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import type { EndReason } from '../http/route.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

/** A request whose answer still flows. */
export interface OpenStream {
  readonly authentication: Authentication
  /** Who has it open, for {@link StreamRegistry.countOf}; undefined where streams are not counted. */
  readonly owner?: string | undefined
  /** The decision that opened it, made again. */
  reauthorize(identity: Identity): Decision
  end(reason: EndReason): void
}

/** Streams are requests that are decided again: whenever a fact changes, and when a session's time is up. */
export interface StreamRegistry {
  /** @returns a function to call when the stream has ended by itself. */
  register(stream: OpenStream): () => void
  /**
   * Of each stream one decision is under way at a time, and one more follows where something changed since it began.
   *
   * @returns when all of them are decided
   */
  decideAllAgain(): Promise<void>
  readonly count: number
  /** How many one owner has open. */
  countOf(owner: string): number
  /** Ends them all, for good. */
  stop(): void
}

/** Milliseconds between two looks at who ran out of time. */
const interval = 250

export function createStreamRegistry({ clock, log }: { clock: Clock; log: Log }): StreamRegistry {
  const held = new Map<OpenStream, Authentication>()
  const counts = new Map<string, number>()

  const release = (stream: OpenStream): boolean => {
    if (!held.delete(stream)) return false
    if (stream.owner === undefined) return true
    const left = (counts.get(stream.owner) ?? 1) - 1
    if (left > 0) counts.set(stream.owner, left)
    else counts.delete(stream.owner)
    return true
  }
  const end = (stream: OpenStream, reason: EndReason) => {
    if (!release(stream)) return
    try {
      stream.end(reason)
    } catch (err) {
      log.error({ err }, 'a stream could not be ended')
    }
  }
  const isOver = ({ endsAt }: Authentication) => endsAt !== undefined && endsAt <= clock.elapsed()
  const settle = (stream: OpenStream, authentication: Authentication) => {
    if (!held.has(stream)) return
    if (isOver(authentication)) return end(stream, 'recheck')
    const decision = stream.reauthorize(authentication.identity)
    if (decision === 'allow') held.set(stream, authentication)
    else end(stream, decision)
  }
  const closeUndecided = (stream: OpenStream, cause: unknown) => {
    log.warn({ err: cause }, 'a stream ended because nobody could say whether it may go on')
    end(stream, 'undecided')
  }
  /** Decisions under way; `again`: something changed since it began. */
  const deciding = new Map<OpenStream, { again: boolean; readonly done: Promise<void> }>()

  const decideLater = async (stream: OpenStream, first: Promise<Authentication>): Promise<void> => {
    let next: Authentication | Promise<Authentication> = first
    for (;;) {
      const authentication: Authentication = await next
      settle(stream, authentication)
      const under = deciding.get(stream)
      if (!under?.again || !held.has(stream)) return
      under.again = false
      next = (held.get(stream) ?? authentication).reauthenticate()
    }
  }
  const decideOneAgain = (stream: OpenStream, authentication: Authentication): Promise<void> | undefined => {
    const under = deciding.get(stream)
    if (under) {
      under.again = true
      return under.done
    }
    try {
      const next = authentication.reauthenticate()
      if (!(next instanceof Promise)) {
        settle(stream, next)
        return undefined
      }
      const done = decideLater(stream, next)
        .catch((cause: unknown) => closeUndecided(stream, cause))
        .finally(() => deciding.delete(stream))
      deciding.set(stream, { again: false, done })
      return done
    } catch (cause) {
      closeUndecided(stream, cause)
      return undefined
    }
  }

  const timer = setInterval(() => {
    const now = clock.now()
    for (const [stream, authentication] of held) {
      if (isOver(authentication)) end(stream, 'recheck')
      else if (authentication.until !== undefined && authentication.until <= now)
        void decideOneAgain(stream, authentication)
    }
  }, interval).unref()

  return {
    register(stream) {
      held.set(stream, stream.authentication)
      if (stream.owner !== undefined) counts.set(stream.owner, (counts.get(stream.owner) ?? 0) + 1)
      // What changed since it was decided, while its answer was made ready, was told before it was held.
      queueMicrotask(() => void (held.has(stream) && decideOneAgain(stream, stream.authentication)))
      return () => void release(stream)
    },
    async decideAllAgain() {
      await Promise.all([...held].flatMap(([stream, authentication]) => decideOneAgain(stream, authentication) ?? []))
    },
    get count() {
      return held.size
    },
    countOf: (owner) => counts.get(owner) ?? 0,
    stop() {
      clearInterval(timer)
      for (const stream of held.keys()) end(stream, 'stopping')
    },
  }
}
