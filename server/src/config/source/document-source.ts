import type { Clock, StopTimer, Timers } from '../../shared/time/clock.ts'
import { etagOf, type ConfigChange, type ConfigSource, type SourceWatcher, type StoredText } from './config-source.ts'

/** A version of the document. */
export interface ConfigVersion {
  /** Grows with every version. */
  readonly number: number
  readonly document: string
  readonly author: string
  /** Unix milliseconds. */
  readonly at: number
}

/** The versions of the document in the database. `Within`: a transaction. */
export interface ConfigVersions<Within> {
  newest(): Promise<ConfigVersion | undefined>
  /** The version before another one. */
  before(number: number): Promise<ConfigVersion | undefined>
  /**
   * Adds a version and announces it to the other instances.
   *
   * @param after number of the version that is to be the newest one; 0: there is none
   * @param alongside further changes in the same transaction
   * @throws ServiceError `precondition-failed` if another one is the newest
   */
  add(
    after: number,
    version: Pick<ConfigVersion, 'document' | 'author'>,
    alongside: (within: Within) => Promise<void>,
  ): Promise<ConfigVersion>
}

/** Announcements of other instances that the document, or what belongs to it, may have changed. */
export interface ConfigAnnouncements {
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
  /** Whether every announcement is received within a second. */
  isListening(): boolean
}

export interface DocumentSourceDeps<C, Within> {
  readonly versions: ConfigVersions<Within>
  readonly announcements: ConfigAnnouncements
  /** Changes what belongs to a new configuration, in the transaction that writes it. */
  readonly alongside: (next: C, within: Within) => Promise<void>
  /** Reads again what belongs to the configuration, because another instance may have changed it. */
  readonly refresh: () => Promise<void>
  /** Called after that, if the newest document is active. */
  readonly refreshed: () => void
  /** Milliseconds for which the document still counts as current after it had to be read and couldn't be. */
  readonly currentFor: number
  readonly clock: Clock & Timers
}

/** Milliseconds between reads while announcements can be missed, or after a failure. */
const interval = 400

/** What the source knows of the document that was found last. */
interface Found {
  /** Whether it must be read again although no announcement said so. */
  again: boolean
  /** Since when it can't be read although it may have changed, by the steady clock. */
  unreadSince: number | undefined
}

/** The configuration as a document in the database, which several instances share. */
export function documentSource<C, Within>(deps: DocumentSourceDeps<C, Within>): ConfigSource<C, Within> {
  const { versions, alongside, currentFor, clock } = deps
  /** Kept for {@link ConfigSource.latest}: the sections of the machine can change while the database is unavailable. */
  let last: StoredText | undefined
  const keep = (version: ConfigVersion | undefined): StoredText => (last = textOf(version))
  const read = async (): Promise<StoredText> => keep(await versions.newest())
  const state: Found = { again: false, unreadSince: undefined }

  return {
    name: 'configuration',
    read,
    latest: () =>
      read().catch((error: unknown) => {
        if (last) return last
        throw error
      }),
    settled: read,
    async *earlier() {
      for (let next = await versions.newest(); next;) {
        next = await versions.before(next.number)
        if (next) yield textOf(next)
      }
    },
    async replace({ number = 0 }, text, next, change: ConfigChange<Within>) {
      const version = { document: text, author: change.author }
      return keep(
        await versions.add(number, version, async (within) => {
          await alongside(next, within)
          await change.alongside?.(within)
        }),
      )
    },
    // The other instances may use the version already. It is applied here as soon as that succeeds.
    undo: () => Promise.resolve(void (state.again = true)),
    isCurrent: () => state.unreadSince === undefined || clock.elapsed() - state.unreadSince < currentFor,
    watch: (watcher) => watchDocument(watcher, state, read, deps),
  }
}

function watchDocument<C, Within>(
  { found, failed }: SourceWatcher,
  state: Found,
  read: () => Promise<StoredText>,
  { announcements, refresh, refreshed, clock }: DocumentSourceDeps<C, Within>,
): () => Promise<void> {
  let stopTimer: StopTimer | undefined
  let stopped = false
  let isQueued = false
  let checking: Promise<void> = Promise.resolve()

  async function check(): Promise<void> {
    isQueued = false
    if (stopped) return
    const began = clock.elapsed()
    try {
      await refresh()
      state.again = !(await found(read, refreshed))
      state.unreadSince = undefined
    } catch (error) {
      state.again = true
      state.unreadSince ??= began
      failed(error)
    }
  }
  function checkSoon(): void {
    if (isQueued || stopped) return
    isQueued = true
    checking = checking.then(check)
  }
  function checkLater(): void {
    stopTimer = clock.after(interval, () => {
      if (state.again || !announcements.isListening()) checkSoon()
      checkLater()
    })
  }
  const unsubscribe = announcements.subscribe(checkSoon)
  checkSoon()
  checkLater()
  return async () => {
    stopped = true
    stopTimer?.()
    unsubscribe()
    await checking
  }
}

const textOf = (version: ConfigVersion | undefined): StoredText =>
  version
    ? {
        bytes: Buffer.from(version.document),
        // The same text in a later version has another ETag.
        etag: etagOf(`${version.number}\n${version.document}`),
        number: version.number,
      }
    : { bytes: undefined, etag: etagOf(undefined) }
