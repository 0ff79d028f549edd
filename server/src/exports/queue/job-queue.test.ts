import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { advanceUntil, createTestClock } from '../../../test/support/test-clock.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openExportFolder } from '../export-folder.ts'
import { ServiceError } from '../../shared/errors.ts'
import { DiskLost, diskMissing } from '../../shared/storage/mounted-disk.ts'
import type { AnyCodedMessage } from '../../shared/messages/coded-message.ts'
import type { ExportStore, StoredExport } from '../export-store.ts'
import { exportProblem } from '../problem.ts'
import { createJobQueue } from './job-queue.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const id = 'a'.repeat(32)
const queued: StoredExport = {
  id,
  camera: cameraKey('yard'),
  name: '',
  start: 0,
  end: 1000,
  expected: 1000,
  promised: 10,
  createdAt: 0,
  owner: { authMethod: 'password', key: 'a', userId: 'a' },
  createdBy: 'a',
  tries: 0,
  state: 'queued',
  volume: 'own',
}
const done: StoredExport = { ...queued, state: 'done', bytes: 48, duration: 1000, finishedAt: 0 }
const failedWith = (problem: AnyCodedMessage): StoredExport => ({ ...queued, state: 'failed', problem, finishedAt: 0 })
const canceled = failedWith(exportProblem('canceled'))

/** A table of contents: one second. */
const video = Buffer.alloc(48)
video.writeUInt32BE(48, 0)
video.write('moov', 4)
video.writeUInt32BE(40, 8)
video.write('mvhd', 12)
video.writeUInt32BE(1000, 28)
video.writeUInt32BE(1000, 32)

const nothing = { used: 0, limit: null }

const unmounted = () => new ServiceError('unavailable', { note: 'The recordings disk is missing.' })

/** Disks that are unmounted at certain moments. */
function createDisks(mediaDir: string) {
  const [folder, away] = [join(mediaDir, 'exports'), join(mediaDir, 'away')]
  let areRecordingsThere = true
  const unmountExports = (): void => {
    renameSync(folder, away)
    mkdirSync(folder)
  }
  const disks = {
    unmountExports,
    mountExports(): void {
      rmSync(folder, { recursive: true })
      renameSync(away, folder)
    },
    mountRecordings: () => void (areRecordingsThere = true),
    requireRecordings: () => (areRecordingsThere ? Promise.resolve() : Promise.reject(unmounted())),
    /** Called before the recordings are read. */
    onRead: () => {},
    /** Called after a file was written. */
    onWritten: () => {},
    unmountRecordings: () => void (areRecordingsThere = false),
    /** With which the next read fails. */
    readError: undefined as Error | undefined,
    read<T>(clip: T): Promise<T> {
      disks.onRead()
      const error = disks.readError
      disks.readError = undefined
      if (error) return Promise.reject(error)
      const missing = Object.assign(new ServiceError('not-found'), { reason: 'recording-deleted' })
      return areRecordingsThere ? Promise.resolve(clip) : Promise.reject(missing)
    },
    write(file: string): void {
      writeFileSync(file, video)
      disks.onWritten()
    },
  }
  return disks
}

/**
 * A queue with one export, whose file is written immediately.
 *
 * @param finish what the store does when the file is finished
 */
async function setUp(finish: (set: (row: StoredExport | undefined) => void) => Promise<boolean>) {
  const mediaDir = temporaryFolder()
  let row: StoredExport | undefined = queued
  const set = (to: StoredExport | undefined) => void (row = to)
  const is = (...states: string[]) => row !== undefined && states.includes(row.state)
  const counts = { reads: 0, finishes: 0 }
  const store: Partial<ExportStore> = {
    unfinished: () => Promise.resolve(++counts.reads && row && is('queued', 'running') ? [row] : []),
    byId: () => Promise.resolve(row),
    begin: () => Promise.resolve(is('queued', 'running') && (set({ ...queued, state: 'running' }), true)),
    async finish() {
      counts.finishes++
      return is('queued', 'running') && (await finish(set))
    },
    putBack: () => Promise.resolve(is('running') && (set(queued), true)),
    fail: (_id, problem) => Promise.resolve(is('queued', 'running') && (set(failedWith(problem)), true)),
  }
  const changes: string[] = []
  const folder = await openExportFolder(mediaDir, 'b')
  const disks = createDisks(mediaDir)
  let survey = Promise.resolve()
  /** Number of surveys that still find that the recording is being written. */
  let growing = 0
  const surveyed = Promise.withResolvers<void>()
  const clock = createTestClock()
  const jobs = createJobQueue({
    store: store as ExportStore,
    folder,
    recordedRanges: {
      async survey() {
        await survey
        return { bytes: 10, recorded: 1000, settled: 1000, growing: growing-- > 0 }
      },
      clip: () => disks.read({ size: 10, head: Buffer.alloc(0), lead: 0, length: 1, async *files() {} }),
    },
    requireDisks: () => folder.requireDisk().then(disks.requireRecordings),
    startMuxer: ({ file }) => ({
      add: () => Promise.resolve(),
      finish: () => Promise.resolve((disks.write(file), 1)),
      stop: () => Promise.resolve(),
    }),
    free: () => Promise.resolve(1e9),
    quota: { of: () => Promise.resolve({ own: nothing, all: nothing, free: 1e9 }) },
    onChange: ({ state }) => void changes.push(state),
    clock,
    log: silent,
  })
  return {
    clock,
    jobs,
    counts,
    changes,
    disks,
    setRow: set,
    problem: () => (row?.state === 'failed' ? row.problem.code : undefined),
    growDuring: (surveys: number) => void (growing = surveys),
    isGrowing: () => growing > 0,
    /** The next survey waits for `endSurvey`. */
    holdSurvey: () => void (survey = surveyed.promise),
    endSurvey: () => surveyed.resolve(),
    files: () => readdirSync(join(mediaDir, 'exports')),
  }
}

test('an export that is done while the queue is being read keeps its file, and is not made again', async () => {
  const [finishing, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { clock, jobs, counts, changes, holdSurvey, endSurvey, files } = await setUp(async (set) => {
    finishing.resolve()
    await committed.promise
    set(done)
    return true
  })
  jobs.added(id, 10)
  await finishing.promise
  holdSurvey()
  const { reads } = counts
  jobs.wake()
  await expect.poll(() => counts.reads).toBe(reads + 1)
  committed.resolve()
  await expect.poll(() => changes).toEqual(['running', 'done'])
  await clock.advance(0)
  endSurvey()
  await expect.poll(() => counts.reads).toBe(reads + 2)
  await jobs.stop()
  expect([files(), counts.finishes, changes]).toEqual([[`${id}.mp4`], 1, ['running', 'done']])
})

test.each(['queued', 'running'] as const)(
  'an export that is %s again, as after a failover that lost its end, is done with the file that it has, without a restart',
  async (state) => {
    const { clock, jobs, changes, disks, counts, setRow } = await setUp((set) => Promise.resolve((set(done), true)))
    let written = 0
    disks.onWritten = () => void (written += 1)
    jobs.added(id, 10)
    await expect.poll(() => changes).toEqual(['running', 'done'])
    // What the end of a job causes by itself.
    await advanceUntil(clock, () => expect(counts.reads).toBe(2))
    setRow({ ...queued, state, tries: 1 })
    await advanceUntil(clock, () => expect(counts.finishes).toBe(2))
    await expect.poll(() => changes).toEqual(['running', 'done', 'done'])
    await jobs.stop()
    expect(written).toBe(1)
  },
)

test.each<[what: string, row: StoredExport | undefined, files: string[]]>([
  ['removed if it was canceled at the last moment', canceled, []],
  ['removed if it was deleted', undefined, []],
  ['kept if it is done already', done, [`${id}.mp4`]],
])('the file of an export that can’t be marked as done is %s', async (_what, row, files) => {
  const { jobs, counts, ...queue } = await setUp((set) => Promise.resolve((set(row), false)))
  jobs.added(id, 10)
  await expect.poll(() => counts.finishes).toBe(1)
  await jobs.stop()
  expect(queue.files()).toEqual(files)
})

test('an export whose recording is still being written begins later', async () => {
  const { clock, jobs, changes, growDuring, isGrowing } = await setUp((set) => Promise.resolve((set(done), true)))
  growDuring(1)
  jobs.added(id, 10)
  await expect.poll(isGrowing).toBe(false)
  await clock.advance(1900)
  expect(changes).toEqual([])
  await clock.advance(2100)
  await expect.poll(() => changes).toEqual(['running', 'done'])
  await jobs.stop()
})

const finished = (set: (row: StoredExport) => void) => Promise.resolve((set(done), true))

test('while a disk is unmounted, a queued export waits and writes nothing in its place; then it is made', async () => {
  for (const disk of ['Exports', 'Recordings'] as const) {
    const { clock, jobs, changes, disks, files } = await setUp(finished)
    disks[`unmount${disk}`]()
    jobs.added(id, 10)
    // Tried four times.
    await advanceUntil(clock, () => expect(changes).toEqual(Array(4).fill('queued')))
    expect(files()).toEqual([])
    disks[`mount${disk}`]()
    await advanceUntil(clock, () => expect(changes.slice(4)).toEqual(['running', 'done']))
    await jobs.stop()
    expect(files()).toEqual([`${id}.mp4`])
  }
})

test.each([
  ['the recordings disk', 'onRead', 'Recordings'],
  ['the exports disk', 'onWritten', 'Exports'],
  ['the exports disk, before anything is written,', 'onRead', 'Exports'],
] as const)(
  'an export during which %s is unmounted goes back to the queue, and is made later',
  async (_what, on, disk) => {
    const { clock, jobs, changes, disks, files } = await setUp(finished)
    disks[on] = () => {
      disks[on] = () => {}
      disks[`unmount${disk}`]()
    }
    jobs.added(id, 10)
    await expect.poll(() => changes).toEqual(['running', 'queued'])
    expect(files()).toEqual([])
    disks[`mount${disk}`]()
    await clock.advance(29_000)
    expect(changes).toHaveLength(2)
    await advanceUntil(clock, () => expect(changes.slice(2)).toEqual(['running', 'done']))
    await jobs.stop()
    expect(files()).toEqual([`${id}.mp4`])
  },
)

test('an export of a recording that was deleted while the disks are there fails', async () => {
  const { jobs, disks, problem } = await setUp(finished)
  disks.onRead = () => {
    disks.unmountRecordings()
    queueMicrotask(disks.mountRecordings)
  }
  jobs.added(id, 10)
  await expect.poll(problem).toBe('recording-deleted')
  await jobs.stop()
})

test('an export during which the recordings disk is unavailable for a moment is made later; of a lost disk, it fails', async () => {
  const { clock, jobs, changes, disks } = await setUp(finished)
  disks.readError = diskMissing('unmounted for a moment')
  jobs.added(id, 10)
  await expect.poll(() => changes).toEqual(['running', 'queued'])
  await advanceUntil(clock, () => expect(changes.slice(2)).toEqual(['running', 'done']))
  await jobs.stop()
  const lost = await setUp(finished)
  lost.disks.readError = new DiskLost()
  lost.jobs.added(id, 10)
  await expect.poll(lost.problem).toBe('recording-deleted')
  await lost.jobs.stop()
})
