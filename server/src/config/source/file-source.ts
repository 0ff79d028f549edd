import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Clock, Timers } from '../../shared/time/clock.ts'
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

/** The text of `config.yml`, which people also edit by hand. */
export function fileSource<C>({ file, clock, settle = 1000, poll = 250 }: FileSourceDeps): ConfigSource<C> {
  const disk = watchConfigFile({ file, clock, settle })
  return {
    name: basename(file),
    read: disk.read,
    latest: disk.read,
    settled: disk.settled,
    async *earlier() {},
    async replace(_before, text) {
      await mkdir(dirname(file), { recursive: true })
      await replaceFile(file, text, { keepAs: `${file}.previous` }).catch(cannotReplace)
      const bytes = Buffer.from(text)
      return { bytes, etag: etagOf(bytes) }
    },
    async undo({ bytes }) {
      await (bytes === undefined ? rm(file, { force: true }) : replaceFile(file, bytes)).catch(cannotReplace)
    },
    watch: (watcher) => disk.watch({ poll, ...watcher }),
  }
}
