import { mkdir, readdir, rename, truncate } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Log } from '../shared/log.ts'
import type { RecordingStore } from './recording-store.ts'
import { insideOf, segmentOf } from './segment-file.ts'
import { freePath } from './segment-draft.ts'
import { draftNamed, segmentNamed } from './segment-name.ts'

export interface ReconcileParts {
  readonly folder: string
  /** The mark of what this process writes, which is left alone. */
  readonly writer: string
  readonly store: RecordingStore
  readonly log: Log
  readonly signal: AbortSignal
}

/** What was found to differ. */
export interface Reconciled {
  /** On disk, and now in the index. */
  readonly found: number
  /** In the index, and gone from the disk. */
  readonly dropped: number
  /** On disk, and no video. */
  readonly broken: number
}

/** Where broken files go, below the library's folder. */
const aside = '.broken'

const day = 24 * 60 * 60_000

/**
 * Makes disk and index agree after an end at any moment: what is on disk and not in the index is taken in, or set
 * aside where it is broken; what is in the index and gone is dropped.
 *
 * A day of one camera at a time, so that others are served in between.
 */
export async function reconcile({ folder, writer, store, log, signal }: ReconcileParts): Promise<Reconciled> {
  const sum = { found: 0, dropped: 0, broken: 0 }

  const setAside = async (file: string): Promise<void> => {
    sum.broken++
    log.warn({ file }, 'no video that can be played: set aside')
    await mkdir(join(folder, aside), { recursive: true, mode: 0o700 })
    await rename(join(folder, file), join(folder, aside, file.replaceAll('/', '_')))
  }

  /** Gives a draft that its writer left behind its name. @returns the file; undefined where it was set aside. */
  const completed = async (draft: string, file: string): Promise<string | undefined> => {
    const inside = await insideOf(join(folder, draft))
    if (!inside) {
      await setAside(draft)
      return undefined
    }
    await truncate(join(folder, draft), inside.bytes)
    const free = await freePath(join(folder, file))
    await rename(join(folder, draft), free)
    return relative(folder, free)
  }

  const takeIn = async (file: string): Promise<void> => {
    const segment = await segmentOf(folder, file)
    if (!segment) return setAside(file)
    await store.add([segment])
    sum.found++
  }

  const oneDay = async (date: string, camera: string): Promise<void> => {
    const start = Date.parse(`${date}T00:00:00Z`)
    const indexed = new Map((await store.filesFrom(camera, start, start + day)).map(({ id, file }) => [file, id]))
    for (const name of await namesIn(join(folder, date, camera))) {
      if (signal.aborted) return
      const place = `${date}/${camera}/`
      const draft = draftNamed(name)
      if (draft?.writer === writer) continue
      try {
        const file = draft ? await completed(place + name, place + draft.file) : place + name
        if (file === undefined || indexed.delete(file) || !segmentNamed(file)) continue
        await takeIn(file)
      } catch (err) {
        log.warn({ file: place + name, err }, 'a recorded file could not be looked at')
      }
    }
    // What was made while we looked is on disk, and was no part of the list.
    await drop([...indexed.values()])
  }

  const drop = async (ids: readonly number[]): Promise<void> => {
    if (ids.length === 0 || signal.aborted) return
    await store.remove(ids)
    sum.dropped += ids.length
  }

  const dates = (await namesIn(folder)).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name)).sort()
  const seen = new Set<string>()
  for (const date of dates) {
    for (const camera of await namesIn(join(folder, date))) {
      if (signal.aborted) return sum
      seen.add(`${date}/${camera}`)
      await oneDay(date, camera)
    }
  }
  await dropMissingDays()
  return sum

  /** Rows of days whose folders are gone. */
  async function dropMissingDays(): Promise<void> {
    for (const camera of await store.cameras()) {
      let start = await store.firstStart(camera, 0)
      while (start !== undefined && !signal.aborted) {
        const begin = Math.floor(start / day) * day
        if (!seen.has(`${new Date(begin).toISOString().slice(0, 10)}/${camera}`)) {
          await drop((await store.filesFrom(camera, begin, begin + day)).map(({ id }) => id))
        }
        start = await store.firstStart(camera, begin + day)
      }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
