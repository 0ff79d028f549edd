import type { Decision } from '../access/decide.ts'
import type { Identity } from '../access/identity.ts'
import type { Authenticated, Authentication } from '../http/authentication.ts'
import type { EndReason } from '../http/response.ts'
import type { Route } from '../http/route.ts'
import type { Runtime } from '../shared/runtime.ts'

/** A response that is still being sent. */
export interface OpenStream {
  readonly authentication: Authentication
  /** Whether the grant with which the stream was allowed is still the same at a time, Unix milliseconds (GRANT-4). */
  isCurrent(now: number): boolean
  /** The keys for {@link StreamRegistry.countOf}; undefined if streams are not counted. */
  readonly owners?: readonly string[] | undefined
  /** The route that opened it. */
  readonly route?: Route
  /** Repeats the decision that opened the stream. `recheck`: the client has to reopen it. */
  reauthorize(identity: Identity): Decision | 'recheck'
  end(reason: EndReason): void
}

/** Open streams. Each is reauthorized on every invalidation, and when its session or its grant expires. */
export interface StreamRegistry {
  /** @returns a function to call when the stream has ended on its own. */
  register(stream: OpenStream): () => void
  /**
   * Reauthorizes all streams, each at most once at a time. A change during a decision causes one more.
   * Resolves when all are decided.
   */
  reauthorizeAll(): Promise<void>
  readonly count: number
  /** The number of streams an owner has open, of all routes or of one. */
  countOf(owner: string, route?: Route): number
  /** Ends all streams and stops the timers. */
  stop(): void
}

/** Milliseconds between checks for expired authentications and grants. */
const interval = 250

/** Milliseconds between rounds of reauthorizing all streams while invalidations can be missed. ROLE-10 allows a second. */
const resyncInterval = 400

export interface StreamRegistryDeps extends Runtime {
  /** Whether invalidations of other instances arrive. */
  readonly isListening: () => boolean
}

export function createStreamRegistry({ clock, log, isListening }: StreamRegistryDeps): StreamRegistry {
  const streams = new Map<OpenStream, Authentication>()

  const end = (stream: OpenStream, reason: EndReason) => {
    if (!streams.delete(stream)) return
    try {
      stream.end(reason)
    } catch (err) {
      log.error({ err }, 'failed to close stream')
    }
  }
  const isOver = ({ endsAt }: Authentication) => endsAt !== undefined && endsAt <= clock.elapsed()
  const settle = (stream: OpenStream, authentication: Authentication) => {
    if (!streams.has(stream)) return
    if (isOver(authentication)) return end(stream, 'recheck')
    const decision = stream.reauthorize(authentication.identity)
    if (decision === 'allow') streams.set(stream, authentication)
    else end(stream, decision)
  }
  const closeUndecided = (stream: OpenStream, cause: unknown) => {
    log.warn({ err: cause }, 'closing stream: reauthorization failed')
    end(stream, 'undecided')
  }
  /** Pending decisions. `again`: something changed since the decision began. */
  const deciding = new Map<OpenStream, { again: boolean; readonly done: Promise<void> }>()

  const reauthorizeLater = async (stream: OpenStream, first: Promise<Authentication>): Promise<void> => {
    try {
      let next: Authenticated = first
      for (;;) {
        const authentication: Authentication = await next
        settle(stream, authentication)
        const pending = deciding.get(stream)
        if (!pending?.again || !streams.has(stream)) break
        pending.again = false
        next = authentication.reauthenticate()
      }
    } catch (cause) {
      closeUndecided(stream, cause)
    }
    // Without an `await` since `again` was read: a change in between would be missed.
    deciding.delete(stream)
  }
  const reauthorizeOne = (stream: OpenStream, authentication: Authentication): Promise<void> | undefined => {
    const pending = deciding.get(stream)
    if (pending) {
      pending.again = true
      return pending.done
    }
    try {
      const next = authentication.reauthenticate()
      if (!(next instanceof Promise)) {
        settle(stream, next)
        return undefined
      }
      const done = reauthorizeLater(stream, next)
      deciding.set(stream, { again: false, done })
      return done
    } catch (cause) {
      closeUndecided(stream, cause)
      return undefined
    }
  }

  const stopChecks = clock.every(interval, () => {
    const now = clock.now()
    for (const [stream, authentication] of streams) {
      if (isOver(authentication)) end(stream, 'recheck')
      else if ((authentication.until !== undefined && authentication.until <= now) || !stream.isCurrent(now))
        void reauthorizeOne(stream, authentication)
    }
  })

  const reauthorizeAll = async () => {
    await Promise.all([...streams].flatMap(([stream, authentication]) => reauthorizeOne(stream, authentication) ?? []))
  }
  let isResyncing = false
  const stopResync = clock.every(resyncInterval, () => {
    if (isListening() || isResyncing) return
    // At most one round at a time, even if the database is slow.
    isResyncing = true
    void reauthorizeAll().finally(() => (isResyncing = false))
  })

  return {
    register(stream) {
      streams.set(stream, stream.authentication)
      // A change between the decision and this registration was missed, so the stream is decided once more.
      queueMicrotask(() => void (streams.has(stream) && reauthorizeOne(stream, stream.authentication)))
      return () => void streams.delete(stream)
    },
    reauthorizeAll,
    get count() {
      return streams.size
    },
    countOf: (owner, route) =>
      [...streams.keys()].filter((stream) => stream.owners?.includes(owner) && (route ?? stream.route) === stream.route)
        .length,
    stop() {
      stopChecks()
      stopResync()
      for (const stream of streams.keys()) end(stream, 'stopping')
    },
  }
}
