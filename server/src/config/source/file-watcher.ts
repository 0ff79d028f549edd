import { readFile, stat } from 'node:fs/promises'
import type { Clock, StopTimer, Timers } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import { etagOf, type SourceWatcher, type StoredText } from './config-source.ts'
import type { ConfigReasons } from '../reasons.ts'
import { systemCodeOf } from '../../shared/caught-error.ts'
import { isMissing } from '../../shared/files/missing-file.ts'

export interface ConfigFileDeps {
  /** Absolute. */
  readonly file: string
  readonly clock: Clock & Timers
  /** Milliseconds a file must stay unchanged before it is read. */
  readonly settle: number
}

/** `found` is called when the file has changed and then stayed unchanged for `settle`, until it returns true. */
interface FileWatcher extends SourceWatcher {
  /** Polling interval, milliseconds. */
  readonly poll: number
}

export interface ConfigFile {
  read(): Promise<StoredText>
  /** The file, once it has stayed unchanged for `settle`. */
  settled(): Promise<StoredText>
  /** @returns a function that stops watching. */
  watch(watcher: FileWatcher): () => Promise<void>
}

const unreadable = (cause: unknown) =>
  new ServiceError<ConfigReasons>('unavailable', {
    reason: 'config-not-read',
    values: { error: systemCodeOf(cause) ?? 'unknown error' },
    cause,
  })

/** Watches a file that people also edit by hand. */
export function watchConfigFile({ file, clock, settle }: ConfigFileDeps): ConfigFile {
  async function read(): Promise<StoredText> {
    const bytes = await readFile(file).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw unreadable(error)
    })
    return { bytes, etag: etagOf(bytes) }
  }

  return {
    read,

    async settled() {
      for (;;) {
        const before = await signatureOf(file)
        const age = clock.now() - before.changedAt
        // A time in the future does not show how long ago the file changed.
        if (before.signature !== missing && (age < settle || age < 0))
          await clock.sleep(age < 0 ? settle : settle - age)
        const disk = await read()
        const after = await signatureOf(file)
        if (after.signature === before.signature) return disk
      }
    },

    watch({ poll, found, failed }) {
      let seen = { signature: '', since: 0 }
      let stopTimer: StopTimer | undefined
      let stopped = false
      let checking: Promise<void> = Promise.resolve()

      async function check(): Promise<void> {
        const { signature } = await signatureOf(file)
        if (signature !== seen.signature) seen = { signature, since: clock.elapsed() }
        // An unchanged file that was applied has been found already.
        else if (seen.since >= 0 && clock.elapsed() - seen.since >= settle) {
          let isWhole = false
          const isApplied = await found(async () => {
            const disk = await read()
            isWhole = (await signatureOf(file)).signature === signature
            return isWhole ? disk : undefined
          })
          if (isWhole) seen = { signature, since: isApplied ? -1 : clock.elapsed() }
        }
      }
      function checkLater(): void {
        if (stopped) return
        stopTimer = clock.after(poll, () => {
          checking = check().catch(failed).finally(checkLater)
        })
      }
      checkLater()
      return async () => {
        stopped = true
        stopTimer?.()
        await checking
      }
    },
  }
}

const missing = 'missing'

/** Identifies a state of the file without reading it. */
async function signatureOf(file: string): Promise<{ readonly signature: string; readonly changedAt: number }> {
  try {
    const { ino, size, mtimeNs, ctimeNs, mtimeMs } = await stat(file, { bigint: true })
    return { signature: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, changedAt: Number(mtimeMs) }
  } catch (error) {
    if (!isMissing(error)) throw error
    return { signature: missing, changedAt: 0 }
  }
}
