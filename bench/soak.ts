import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './figure.ts'
import { childrenOf, cpuOf, end, memoryOf, printed } from './process.ts'
import { createSandbox, spawnService, type Sandbox } from './service.ts'

/**
 * Records sixteen cameras for ten minutes and checks their cost, that memory stays flat, that no segment is lost and
 * that no process is left behind. `npm run soak -- --minutes=10 --cameras=16`
 */
const option = (name: string, usual: number): number =>
  Number(process.argv.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual)
const minutes = option('minutes', 10)
const count = option('cameras', 16)

const print = (line: string) => console.error(line)
const names = Array.from({ length: count }, (_, number) => `camera${number + 1}`)
const scenes = ['yard', 'door', 'office']

interface Row {
  readonly camera: string
  readonly file: string
  readonly bytes: number
  readonly start: number
  readonly end: number
}

const recordings = (sandbox: Sandbox): string => join(sandbox.mediaDir, 'recordings')

function rowsOf(sandbox: Sandbox): Row[] {
  const db = new DatabaseSync(join(sandbox.configDir, 'gatehouse.db'), { readOnly: true })
  const rows = db.prepare('select camera, file, bytes, start, "end" from recording order by start').all()
  db.close()
  return rows as unknown as Row[]
}

/** Every video file below the recordings folder: its relative path and its size. */
const filesOf = (sandbox: Sandbox): Map<string, number> =>
  new Map(
    readdirSync(recordings(sandbox), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && /\.(mp4|part)$/.test(each.name))
      .map((each) => join(each.parentPath, each.name))
      .map((path) => [path.slice(recordings(sandbox).length + 1), statSync(path).size] as const),
  )

/** Differences between disk and index; empty if they agree. */
function differencesOf(sandbox: Sandbox): string[] {
  const [rows, files] = [rowsOf(sandbox), filesOf(sandbox)]
  const indexed = new Set(rows.map(({ file }) => file))
  const wrong = rows.filter(({ file, bytes }) => files.get(file) !== bytes)
  const unknown = [...files.keys()].filter((file) => !indexed.has(file))
  return [
    ...wrong.map(({ file }) => `in the index, but different on disk: ${file}`),
    ...unknown.map((file) => `only on disk: ${file}`),
  ]
}

interface Gap {
  readonly camera: string
  /** Unix milliseconds. */
  readonly at: number
  readonly seconds: number
}

/** Seconds between each segment of a camera and the next one. */
function gapsOf(rows: readonly Row[]): Gap[] {
  return names.flatMap((camera) => {
    const own = rows.filter((row) => row.camera === camera)
    return own.slice(1).map(({ start }, i) => {
      const at = own[i]?.end ?? start
      return { camera, at, seconds: (start - at) / 1000 }
    })
  })
}

const alive = (pid: number): boolean => existsSync(`/proc/${pid}`)
const until = async (what: string, check: () => boolean, seconds: number): Promise<void> => {
  for (const began = performance.now(); !check(); await sleep(250)) {
    if (performance.now() - began > seconds * 1000) throw new Error(`not within ${seconds} s: ${what}`)
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'))
let failed = false
const expect = (what: string, right: boolean): void => {
  failed ||= !right
  console.log(`- ${right ? 'yes' : '**no**'}: ${what}`)
}

try {
  const cameras = Object.fromEntries(names.map((name, i) => [name, { source: `demo:${scenes[i % scenes.length]}` }]))
  const sandbox = await createSandbox(scratch, { cameras })
  const start = async () => {
    const child = spawnService(sandbox, 'any')
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (/"level":"(warn|error|fatal)"/.test(line)) print(line)
    })
    await printed(child, /service ready/)
    return child
  }
  let service = await start()
  const pid = service.pid ?? 0
  const readers = (): number[] => childrenOf(service.pid ?? 0)
  await until(
    'every camera is recorded',
    () => new Set(rowsOf(sandbox).map(({ camera }) => camera)).size === count,
    180,
  )
  print(`${count} cameras are recorded; ${minutes} minutes …`)

  const began = performance.now()
  const startedAt = Date.now()
  const used = () => ({ own: cpuOf(pid), all: [pid, ...readers()].reduce((sum, each) => sum + cpuOf(each), 0) })
  const before = used()
  const samples: { readonly minute: number; readonly own: number; readonly readers: number }[] = []
  const loads: number[] = []
  while (performance.now() - began < minutes * 60_000) {
    await sleep(5000)
    samples.push({
      minute: (performance.now() - began) / 60_000,
      own: memoryOf(pid),
      readers: readers().reduce((sum, each) => sum + memoryOf(each), 0),
    })
    loads.push(loadavg()[0] ?? 0)
    if (samples.length % 12 === 0)
      print(`${samples.at(-1)!.minute.toFixed(0)} min: ${samples.at(-1)!.own.toFixed(0)} MB`)
  }
  const took = performance.now() - began
  const after = used()
  const ofTime = (used: number) => `${((used * 100) / took / count).toFixed(2)} % of a core`
  const around = (minute: number, of: 'own' | 'readers') =>
    median(samples.filter((each) => Math.abs(each.minute - minute) <= 0.5).map((each) => each[of]))
  const rows = rowsOf(sandbox)
  const gaps = gapsOf(rows)
  const longest = Math.max(...gaps.map((gap) => gap.seconds))
  for (const { camera, at, seconds } of gaps.filter((gap) => gap.seconds > 0.5)) {
    print(`a gap of ${seconds} s: ${camera}, ${new Date(at).toISOString()}`)
  }
  const seconds = rows.reduce((sum, row) => sum + Math.max(0, row.end - Math.max(row.start, startedAt)) / 1000, 0)
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)

  console.log(`${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} cores,`)
  console.log(`load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}\n`)
  console.log('| Figure | Value |\n| --- | --- |')
  console.log(`| cameras, minutes | ${count}, ${minutes} |`)
  console.log(`| the service, by camera | ${ofTime(after.own - before.own)} |`)
  console.log(`| the service and ffmpeg, by camera | ${ofTime(after.all - before.all)} |`)
  for (const minute of [2, minutes / 2, minutes - 0.5].filter((each) => each >= 1)) {
    const megabytes = `${around(minute, 'own').toFixed(0)} MB, ffmpeg ${around(minute, 'readers').toFixed(0)} MB`
    console.log(`| resident memory at ${minute} min | ${megabytes} |`)
  }
  console.log(`| recorded | ${rows.length} segments, ${(bytes / 1e6).toFixed(0)} MB |`)
  console.log(`| of the time, recorded and closed | ${((seconds * 100_000) / took / count).toFixed(1)} % |`)
  console.log(`| longest gap | ${longest.toFixed(3)} s |\n`)
  const [early, late] = [around(2, 'own'), around(minutes - 0.5, 'own')]
  if (minutes >= 5) expect(`memory is flat: at most 10 % more at the end than after two minutes`, late <= early * 1.1)
  expect('no gap of more than half a second', longest <= 0.5)

  const children = readers()
  expect(
    `one reader per camera, and at most one for motion (${children.length})`,
    children.length >= count && children.length <= 2 * count,
  )
  const kept = filesOf(sandbox)
  const killedAt = Date.now()
  service.kill('SIGKILL')
  await once(service, 'exit')
  service = await start()
  await until('the readers of the killed service have ended', () => !children.some(alive), 20)
  expect('after kill -9 and a restart, no old reader runs', true)
  await until(
    'every camera is recorded again',
    () => new Set(rowsOf(sandbox).flatMap(({ camera, start }) => (start > killedAt ? [camera] : []))).size === count,
    60,
  )
  print(`every camera is recorded again ${((Date.now() - killedAt) / 1000).toFixed(1)} s after the kill`)
  const lostOf = (): string[] => {
    const again = new Map(rowsOf(sandbox).map(({ file, bytes }) => [file, bytes]))
    return [...kept].flatMap(([file, size]) => {
      const draft = /^(.+\.mp4)\.[0-9a-f]+-\d+\.part$/.exec(file)
      // An unfinished segment may have grown before the kill; it is truncated after its last complete frame.
      const there = draft ? size === 0 || again.has(draft[1] ?? '') : again.get(file) === size
      return there ? [] : [file]
    })
  }
  await until('the earlier recordings are back', () => lostOf().length === 0, 60).catch((error: unknown) =>
    print(String(error)),
  )
  const lost = lostOf()
  for (const each of lost.slice(0, 10)) print(each)
  expect(`of ${kept.size} files on disk before the kill, none is lost (${lost.length})`, lost.length === 0)

  const last = readers()
  await end(service)
  expect('after a stop, no process is left', !last.some(alive))
  const differences = differencesOf(sandbox)
  for (const each of differences.slice(0, 10)) print(each)
  expect('disk and index agree', differences.length === 0)
} catch (error) {
  failed = true
  console.error(error)
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(failed ? 1 : 0)
