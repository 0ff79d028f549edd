import { spawn } from 'node:child_process'
import { pbkdf2Sync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashersOf, isHasher } from '../../../test/support/children.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { withoutFreeDescriptors } from '../../../test/support/without-free-descriptors.ts'
import type { Log } from '../../shared/log.ts'
import { createHashingProcess, type HashingProcessDeps } from './hashing-process.ts'

const derivation = { password: 'lètmein \ud800', salt: 'seasalt2', iterations: 10 }
const derived = pbkdf2Sync(derivation.password, derivation.salt, derivation.iterations, 32, 'sha256')

function start(deps: Partial<HashingProcessDeps> = {}) {
  const lines: { readonly fields: object; readonly message: string }[] = []
  const write = (fields: object, message: string) => void lines.push({ fields, message })
  const log: Log = { debug: write, info: write, warn: write, error: write, enabled: () => true }
  const hashing = createHashingProcess({ concurrency: 2, log, ...deps })
  onTestFinished(() => hashing.stop())
  return { ...hashing, lines }
}

function programOf(text: string): string {
  const dir = temporaryFolder()
  const program = join(dir, 'program.mjs')
  writeFileSync(program, text)
  return program
}

const unavailable = { code: 'unavailable', reason: 'no-password-check', retryAfter: 5 }

test('[RATE-7] returns the result of PBKDF2, each request its own', async () => {
  const { derive, lines } = start()
  const others = ['a', 'b', 'c'].map((salt) => ({ ...derivation, salt }))
  expect(await derive(derivation)).toEqual(derived)
  expect(await Promise.all(others.map(derive))).toEqual(
    others.map(({ password, salt, iterations }) => pbkdf2Sync(password, salt, iterations, 32, 'sha256')),
  )
  expect(lines).toEqual([])
})

test('[RATE-7] ends when there is nothing to do, without a line, and begins again', async () => {
  const { derive, lines } = start({ idle: 50 })
  expect(hashersOf(process.pid)).toEqual([])
  await derive(derivation)
  const [first] = hashersOf(process.pid)
  await vi.waitFor(() => expect(hashersOf(process.pid)).toEqual([]), 20_000)
  expect(await derive(derivation)).toEqual(derived)
  expect(hashersOf(process.pid)).not.toContain(first)
  expect(lines).toEqual([])
})

test('[RATE-7] one that cannot run is tried twice and said, and the work fails closed', async () => {
  const { derive, lines } = start({ program: programOf('throw new Error("it is broken")') })
  await expect(derive(derivation)).rejects.toMatchObject(unavailable)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatchObject({
    message: 'password hashing process ended unexpectedly',
    fields: { exit_code: 1, stderr: expect.stringContaining('it is broken') as string },
  })
})

test.each([
  ['never answers', 'process.on("message", () => {})'],
  ['answers nonsense', 'process.on("message", ({ id }) => process.send({ id, derived: "" }))'],
])('[RATE-7] one that %s is ended, and the work fails closed', async (_what, text) => {
  const { derive, lines } = start({ program: programOf(text), timeout: 300 })
  await expect(derive(derivation)).rejects.toMatchObject(unavailable)
  expect(lines.map(({ message }) => message)).toContain('password hashing process timed out')
})

test('[RATE-7] once stopped, nothing more is started, and waiting work fails', async () => {
  const { derive, stop, lines } = start({ program: programOf('process.on("message", () => {})') })
  const waiting = derive(derivation)
  await Promise.all([expect(waiting).rejects.toMatchObject(unavailable), stop()])
  await expect(derive(derivation)).rejects.toMatchObject(unavailable)
  expect(lines).toEqual([])
})

/** Whether a process has used half a second of CPU time, more than it takes to start. */
function isWorking(pid: number): boolean {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(' ')
  return Number(fields[13]) + Number(fields[14]) > 50
}

test('[RATE-7] the hashing process ends with a killed service, in the middle of its work', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'hashing-process.ts'))
  // Iterations for minutes: a process that finished its work first would not end within the wait below.
  const work = JSON.stringify({ ...derivation, iterations: 500_000_000 })
  const service = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { createHashingProcess } = await import(${module})
     const { systemClock: clock } = await import(${JSON.stringify(join(import.meta.dirname, '../../shared/time/clock.ts'))})
     const log = { debug() {}, info() {}, warn() {}, error() {}, enabled: () => false }
     const { derive } = createHashingProcess({ concurrency: 2, log, clock })
     await derive(${work})`,
  ])
  onTestFinished(() => void service.kill('SIGKILL'))
  const [hasher] = await vi.waitUntil(
    () => {
      const found = hashersOf(service.pid ?? 0)
      return found.length > 0 && found
    },
    { timeout: 20_000 },
  )
  const pid = Number(hasher)
  onTestFinished(() => void (isHasher(pid) && process.kill(pid, 'SIGKILL')))
  await vi.waitUntil(() => isWorking(pid), { timeout: 20_000 })
  service.kill('SIGKILL')
  await once(service, 'exit')
  await vi.waitUntil(() => !isHasher(pid), { timeout: 10_000 })
})

test('[RATE-7] without a free file descriptor, a password is not checked, and the service goes on', async () => {
  const printed = await withoutFreeDescriptors(
    `import { createHashingProcess } from ${JSON.stringify(new URL('hashing-process.ts', import.meta.url).href)}
    const ignore = () => {}
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore, enabled: () => false }
    const { derive } = createHashingProcess({ concurrency: 1, log })`,
    `await derive(${JSON.stringify(derivation)}).catch(({ code, reason, cause }) => [code, reason, cause.message].join())`,
  )
  expect(printed).toMatch(/^unavailable,no-password-check,.*\n$/)
})
