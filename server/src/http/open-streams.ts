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
  /** Who has it open, for {@link OpenStreams.countOf}; undefined where streams are not counted. */
  readonly owner?: string | undefined
  /** The decision that opened it, made again. */
  decideAgain(identity: Identity): Decision
  end(reason: EndReason): void
}

/** Streams are requests that are decided again: whenever a fact changes, and when a session's time is up. */
export interface OpenStreams {
  /** @returns a function to call when the stream has ended by itself. */
  hold(stream: OpenStream): () => void
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
const lookEvery = 250

export function createOpenStreams({ clock, log }: { clock: Clock; log: Log }): OpenStreams {
  const held = new Map<OpenStream, Standing>()
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
  /** Decisions under way; `again`: something changed since it began. */
  const deciding = new Map<OpenStream, { again: boolean; readonly done: Promise<void> }>()

  const decideLater = async (stream: OpenStream, first: Promise<Standing>): Promise<void> => {
    let next: Standing | Promise<Standing> = first
    for (;;) {
      const standing: Standing = await next
      settle(stream, standing)
      const under = deciding.get(stream)
      if (!under?.again || !held.has(stream)) return
      under.again = false
      next = (held.get(stream) ?? standing).again()
    }
  }
  const decideOneAgain = (stream: OpenStream, standing: Standing): Promise<void> | undefined => {
    const under = deciding.get(stream)
    if (under) {
      under.again = true
      return under.done
    }
    try {
      const next = standing.again()
      if (!(next instanceof Promise)) {
        settle(stream, next)
        return undefined
      }
      const done = decideLater(stream, next)
        .catch((cause: unknown) => giveUp(stream, cause))
        .finally(() => deciding.delete(stream))
      deciding.set(stream, { again: false, done })
      return done
    } catch (cause) {
      giveUp(stream, cause)
      return undefined
    }
  }

  const timer = setInterval(() => {
    const now = clock.now()
    for (const [stream, standing] of held) {
      if (isOver(standing)) end(stream, 'recheck')
      else if (standing.until !== undefined && standing.until <= now) void decideOneAgain(stream, standing)
    }
  }, lookEvery).unref()

  return {
    hold(stream) {
      held.set(stream, stream.standing)
      if (stream.owner !== undefined) counts.set(stream.owner, (counts.get(stream.owner) ?? 0) + 1)
      // What changed since it was decided, while its answer was made ready, was told before it was held.
      queueMicrotask(() => void (held.has(stream) && decideOneAgain(stream, stream.standing)))
      return () => void release(stream)
    },
    async decideAllAgain() {
      await Promise.all([...held].flatMap(([stream, standing]) => decideOneAgain(stream, standing) ?? []))
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
