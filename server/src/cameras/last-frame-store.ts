import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type { Log } from '../shared/log.ts'
import { mkdir, readFile, readdir, rm, atomicWrite } from '../shared/storage/media-disk.ts'
import { isMissing } from '../shared/files/missing-file.ts'

/** The newest frame of each camera on disk, so that a camera that stays unreachable still has a last frame. */
export interface LastFrameStore {
  keep(camera: string, source: string, frame: Frame): Promise<void>
  /** @returns undefined if no frame of this source is stored. */
  of(camera: string, source: string): Promise<Frame | undefined>
  forget(camera: string): Promise<void>
  /** Deletes the frames of all other cameras, and leftovers of a crash. */
  forgetAllBut(cameras: ReadonlySet<string>): Promise<void>
}

export interface LastFrameStoreDeps {
  readonly folder: string
  /** Key of the hash of a source: sources may contain passwords, and the folder may be on a share. */
  readonly key: Uint8Array
  readonly log: Log
}

/** Bytes; a larger frame is not stored. */
const max = 8 << 20

/** One file per camera: a JSON line with its camera and source, then the frame. Files are written one at a time. */
export function createLastFrameStore({ folder, key, log }: LastFrameStoreDeps): LastFrameStore {
  const limit = pLimit(1)
  let failing = false
  const serialized = <T>(act: () => Promise<T>): Promise<T | undefined> =>
    limit(act).then(
      (done) => {
        failing = false
        return done
      },
      (error: unknown) => {
        if (isMissing(error)) return undefined
        // A full disk costs the last frames, and one line in the log.
        if (!failing) log.warn({ err: error }, 'failed to save last frame')
        failing = true
        return undefined
      },
    )
  const fileOf = (camera: string): string => join(folder, `${camera}.frame`)
  const markOf = (source: string): string => createHmac('sha256', key).update(source).digest('base64url')

  return {
    async keep(camera, source, { mp4, at }) {
      if (mp4.reduce((sum, { length }) => sum + length, 0) > max) return
      await serialized(async () => {
        const label = Buffer.from(`${JSON.stringify({ camera, source: markOf(source), at } satisfies Label)}\n`)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await atomicWrite(fileOf(camera), Buffer.concat([label, ...mp4]), 0o600)
      })
    },
    of: (camera, source) =>
      serialized(async () => {
        const content = await readFile(fileOf(camera))
        const end = content.indexOf('\n')
        const label = labelFrom(content.toString('utf8', 0, Math.max(0, end)))
        // On a case-insensitive file system, two cameras can share a file.
        if (label?.camera !== camera || label.source !== markOf(source)) return undefined
        return { mp4: [content.subarray(end + 1)], at: label.at }
      }),
    async forget(camera) {
      await serialized(() => rm(fileOf(camera), { force: true }))
    },
    async forgetAllBut(cameras) {
      await serialized(async () => {
        const requested = new Set([...cameras].map((camera) => `${camera}.frame`))
        const others = (await readdir(folder)).filter((name) => !requested.has(name))
        for (const name of others) await rm(join(folder, name), { force: true })
      })
    },
  }
}

interface Label {
  readonly camera: string
  readonly source: string
  /** Unix milliseconds. */
  readonly at: number
}

function labelFrom(line: string): Label | undefined {
  try {
    const { camera, source, at } = JSON.parse(line) as Record<string, unknown>
    if (typeof camera !== 'string' || typeof source !== 'string' || typeof at !== 'number') return undefined
    return { camera, source, at }
  } catch {
    return undefined
  }
}
