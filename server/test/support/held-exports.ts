import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMuxingThread, type StartMuxer } from '../../src/exports/muxing/muxing-thread.ts'
import { wait } from './wait.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Blocks the exports of services that are started with it, until they are released. */
export interface HeldExports {
  /** For a service in its own process, which is started with `held-exports.mjs`. */
  readonly env: { readonly HELD_EXPORTS: string }
  readonly startMuxer: StartMuxer
  /** @param bytes that each export writes before it blocks */
  hold(bytes?: number): void
  release(): void
}

export function holdExports(): HeldExports {
  const folder = temporaryFolder()
  const held = join(folder, 'held')
  return {
    env: { HELD_EXPORTS: held },
    startMuxer: heldMuxing(held),
    hold: (bytes) => writeFileSync(held, bytes === undefined ? '' : String(bytes)),
    release: () => rmSync(held, { force: true }),
  }
}

/** Starts threads that add no file as long as the file `held` exists. What it contains is the number of bytes to write first. */
export const heldMuxing =
  (held: string): StartMuxer =>
  (options, onAlive) => {
    const muxer = startMuxingThread(options, onAlive)
    const bytes = existsSync(held) ? Number(readFileSync(held, 'utf8')) : 0
    if (bytes > 0) writeFileSync(options.file, Buffer.alloc(bytes))
    const stopping = new AbortController()
    return {
      ...muxer,
      async add(file) {
        while (existsSync(held) && !stopping.signal.aborted) await wait(20, 'looks again whether exports are released')
        return muxer.add(file)
      },
      stop() {
        stopping.abort()
        return muxer.stop()
      },
    }
  }
