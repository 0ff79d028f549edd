import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { ServiceError } from '../../shared/errors.ts'
import { removeDrafts } from '../../shared/files/atomic-write.ts'
import type { Clock, Timers } from '../../shared/time/clock.ts'
import type { ConfigReasons } from '../reasons.ts'
import { etagOf, type ConfigSource } from './config-source.ts'
import { watchConfigFile } from './file-watcher.ts'
import { cannotReplace, replaceFile } from './replace-file.ts'

export interface FileSourceDeps {
  /** `config.yml`, absolute. */
  readonly file: string
  readonly clock: Clock & Timers
  /** Milliseconds a file must stay unchanged before it is read. */
  readonly settle?: number
  /** Polling interval, milliseconds. */
  readonly poll?: number
}

/** Opens the text of `config.yml`, which people also edit by hand. */
export async function openFileSource<C>({
  file,
  clock,
  settle = 1000,
  poll = 250,
}: FileSourceDeps): Promise<ConfigSource<C>> {
  await removeDrafts(file)
  const disk = watchConfigFile({ file, clock, settle })
  /** ETag of the last replacement. */
  let written: string | undefined
  return {
    name: basename(file),
    read: disk.read,
    latest: disk.read,
    settled: disk.settled,
    async *earlier() {},
    async replace(before, text) {
      await mkdir(dirname(file), { recursive: true })
      // Someone may have edited the file since it was read.
      if ((await disk.read()).etag !== before.etag)
        throw new ServiceError<ConfigReasons>('precondition-failed', { reason: 'config-changed' })
      await replaceFile(file, text, { keepAs: `${file}.previous` }).catch(cannotReplace)
      const bytes = Buffer.from(text)
      written = etagOf(bytes)
      return { bytes, etag: written }
    },
    async undo({ bytes }) {
      if ((await disk.read()).etag !== written) return
      await (bytes === undefined ? rm(file, { force: true }) : replaceFile(file, bytes)).catch(cannotReplace)
    },
    // No one else changes it unnoticed.
    isCurrent: () => true,
    watch: (watcher) => disk.watch({ poll, ...watcher }),
  }
}
