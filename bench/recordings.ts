import { mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSegment, seedRecordings } from '../server/test/support/seeded-recordings.ts'
import { alternating, median, ratioOf, type Bench, type BenchDeps, type Figure } from './figure.ts'
import { cpuOf, memoryOf } from './process.ts'
import { createSandbox, quietCameras, startService, type Sandbox, type Service } from './service.ts'
import { startTime } from './start.ts'

const day = 86_400
const names = Array.from({ length: 10 }, (_, number) => `camera${number}`)

/** Measures how the number of recorded segments affects the start, requests and memory. */
export const recordings: Bench = {
  name: 'recordings',
  run: amounts,
}

async function amounts({ quick, scratch, print }: BenchDeps): Promise<Figure[]> {
  const sample = join(scratch, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '160x90', bitrate: '20k' })
  requireSpace(scratch, statSync(sample).size * 1_000_000)
  const placed = async (name: string, count: number): Promise<Sandbox> => {
    print(`recordings: ${count} segments …`)
    const dir = join(scratch, name)
    mkdirSync(dir)
    const limits = { retain_days: 10_000, max_gb: 1_000_000 }
    const sandbox = await createSandbox(dir, { cameras: quietCameras(names), recording: limits }, true)
    await startTime(sandbox)
    const last = Math.floor(Date.now() / 1000) - 60
    for (const name of names) seedRecordings(sandbox, name, { sample, count: count / names.length, last })
    return sandbox
  }
  const [none, some] = [await placed('none', 0), await placed('some', 100_000)]
  const starts = await alternating(
    quick ? 3 : 7,
    () => startTime(some),
    () => startTime(none),
  )
  const started: Figure = {
    what: 'start with 100,000 segments on disk, against with none',
    ours: `${Math.round(median(starts.ours))} ms`,
    peer: `${Math.round(median(starts.peer))} ms`,
    ratio: ratioOf(starts.ours, starts.peer).ratio,
    target: '≤ 1.10',
    met: ratioOf(starts.ours, starts.peer).ratio <= 1.1,
  }
  const empty = await startService(none, 'any')
  await settled(empty)
  const idle = memoryOf(empty.pid)
  await empty.stop()
  const figures = [started, ...(await requested(some, 100_000, idle, quick))]
  rmSync(some.dir, { recursive: true })
  if (quick) return figures
  const many = await placed('many', 1_000_000)
  return [...figures, ...(await requested(many, 1_000_000, idle, quick))]
}

/** The files are hard links, but the service counts each, and removes recordings that the disk has no space for. */
function requireSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < bytes * 2)
    throw new Error(`a disk with ${Math.ceil((bytes * 2) / 1e9)} GB of free space is needed`)
}

/** Waits until every segment has been scanned. @returns the seconds that took */
async function settled({ pid }: Service): Promise<number> {
  const began = performance.now()
  for (let quiet = 0, before = cpuOf(pid); quiet < 4;) {
    await sleep(250)
    const now = cpuOf(pid)
    quiet = now - before < 10 ? quiet + 1 : 0
    before = now
  }
  return (performance.now() - began) / 1000 - 1
}

async function requested(sandbox: Sandbox, count: number, idle: number, quick: boolean): Promise<Figure[]> {
  const service = await startService(sandbox, 'any')
  try {
    const looked = await settled(service)
    const memory = memoryOf(service.pid)
    const rows = count.toLocaleString('en')
    const now = Date.now() / 1000
    const [after, before] = [now - day - 3600, now - 3600]
    const rounds = quick ? 20 : 60
    const api = `/api/cameras/${names[3]}`
    const paths = {
      timeline: `${api}/timeline?after=${after}&before=${before}`,
      playlist: `${api}/playback/${after}/${before}/index.m3u8`,
      summary: `${api}/recordings/summary?after=${now - 31 * day}&before=${now}&timezone=Europe%2FBerlin`,
      clip: `${api}/clip.mp4?start=${after}&end=${before}`,
    }
    const db = new DatabaseSync(join(sandbox.configDir, 'gatehouse.db'), { readOnly: true })
    const [{ volume }] = db.prepare('select volume from recording limit 1').all() as [{ volume: string }]
    const select = db.prepare(`select start, "end", motion, stream_id from recording
      where volume = ? and camera = ? and start > ? and start < ? and "end" > ? order by start`)
    const bare = () => {
      const began = performance.now()
      const found = select.all(volume, names[3] ?? '', (after - 600) * 1000, before * 1000, after * 1000)
      if (found.length < 1000) throw new Error(`${found.length} rows`)
      return Promise.resolve(performance.now() - began)
    }
    const timed = async (path: string) => (await timeOf(service, path)).took
    for (let i = 0; i < 10; i += 1) await timed(paths.timeline)
    const timeline = await alternating(rounds, () => timed(paths.timeline), bare)
    db.close()
    const several = async (path: string, times: number) => {
      const all = []
      for (let i = 0; i < times; i += 1) all.push(await timed(path))
      return median(all)
    }
    const playlist = await several(paths.playlist, 10)
    const summary = await several(paths.summary, 10)
    const first = []
    for (let i = 0; i < rounds; i += 1) {
      const began = performance.now()
      const { text } = await timeOf(service, `${api}/playback/${before - 3600 + i * 7}/${before}/index.m3u8`)
      const base = `${api}/segments/`
      const [init = '', video = ''] = [...text.matchAll(/segments\/(\d+\/[^"\n]+)/g)].map(([, rest]) => base + rest)
      await timeOf(service, init)
      await timeOf(service, video)
      first.push(performance.now() - began)
    }
    const took = median(timeline.ours)
    return [
      {
        what: `timeline of a day, of ${rows} rows, against the bare SELECT`,
        ours: `${took.toFixed(1)} ms`,
        peer: `${median(timeline.peer).toFixed(1)} ms`,
        ratio: ratioOf(timeline.ours, timeline.peer).ratio,
        target: '< 20 ms',
        met: took < 20,
      },
      figure(`playlist of a day, of ${rows} rows`, `${playlist.toFixed(1)} ms`),
      figure(`summary of a month, of ${rows} rows`, `${summary.toFixed(1)} ms`),
      figure(
        `from requesting a playlist of an hour to the first segment’s last byte, of ${rows} rows`,
        `${median(first).toFixed(1)} ms`,
        '< 500 ms',
        median(first) < 500,
      ),
      {
        what: `resident memory once ${rows} segments are scanned, against with none`,
        ours: `${memory.toFixed(0)} MB`,
        peer: `${idle.toFixed(0)} MB`,
        ratio: memory / idle,
        target: undefined,
        met: undefined,
      },
      figure(`disk and index of ${rows} segments compared, beside the service`, `${looked.toFixed(1)} s`),
    ]
  } finally {
    await service.stop()
  }
}

const figure = (what: string, ours: string, target?: string, met?: boolean): Figure => ({
  what,
  ours,
  peer: '',
  ratio: undefined,
  target,
  met,
})

/** Milliseconds to the last byte, and the response. */
function timeOf({ internalPort }: Service, path: string): Promise<{ took: number; text: string }> {
  const began = performance.now()
  return new Promise((done, fail) => {
    const asking = request({ host: '127.0.0.1', port: internalPort, path }, (response) => {
      if (response.statusCode !== 200) return fail(new Error(`${path}: ${response.statusCode}`))
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () =>
        done({ took: performance.now() - began, text: Buffer.concat(chunks).toString('latin1') }),
      )
      return response.once('error', fail)
    })
    asking.once('error', fail)
    asking.end()
  })
}
