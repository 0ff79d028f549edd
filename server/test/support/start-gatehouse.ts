import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { onTestFinishedOrLater } from './cleanups.ts'
import { clientsOf } from './service-clients.ts'
import { createSandbox, environmentOf, populate, prepare, type Sandbox } from './service-folder.ts'
import type { ConfigOptions, Service } from './service.ts'
import { createTranscript } from './transcript.ts'

/**
 * The service in its own process, as users run it: its build, which starts in half the CPU time, or its sources, if they
 * have changed since. For tests of boot, signals, kills and the environment.
 */
export interface Gatehouse extends Service {
  readonly process: ChildProcess
  kill(): Promise<void>
  restart(changes?: Partial<StartOptions>): Promise<Gatehouse>
}

export interface StartOptions extends ConfigOptions {
  /** The file that starts the service, instead of the one that users start. */
  readonly entry: string
  /** false: return as soon as the process runs, for starts that should fail. */
  readonly ready: boolean
}

const root = resolve(import.meta.dirname, '../../..')

/** Starts the service in its own process. */
export async function startGatehouse(options: Partial<StartOptions> = {}): Promise<Gatehouse> {
  const sandbox = await createSandbox()
  // Every process that runs on this folder, restarted ones too.
  const runs: Gatehouse[] = []
  onTestFinishedOrLater(() => Promise.all(runs.map((each) => each.kill())))
  await populate(sandbox, options)
  return runProcess(sandbox, options, runs)
}

async function runProcess(sandbox: Sandbox, options: Partial<StartOptions>, runs: Gatehouse[]): Promise<Gatehouse> {
  prepare(sandbox, options)
  const preloaded = [
    ...(options.realHashes ? [] : ['cheap-hashing.mjs']),
    ...(options.held ? ['held-exports.mjs'] : []),
  ]
  const preload = preloaded.flatMap((file) => ['--import', join(import.meta.dirname, file)])
  const child = spawn(process.execPath, [...preload, options.entry ?? join(root, 'server/start.mjs')], {
    cwd: sandbox.dir,
    env: environmentOf(sandbox, { ...options.env, ...options.held?.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let ended = false
  const transcript = createTranscript(() => ended)
  child.stdout.on('data', transcript.take)
  child.stderr.on('data', transcript.take)
  child.once('exit', () => {
    ended = true
    transcript.wake()
  })
  const gatehouse: Gatehouse = {
    ...sandbox,
    ...clientsOf(sandbox, transcript),
    process: child,
    output: transcript.text,
    printed: transcript.printed,
    async stop() {
      if (ended) return child.exitCode
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
    async kill() {
      if (ended) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async restart(changes = {}) {
      await gatehouse.stop()
      return runProcess(sandbox, { ...options, config: undefined, ...changes }, runs)
    },
  }
  runs.push(gatehouse)
  if (options.ready !== false) await transcript.printed(/"?ready"?/)
  return gatehouse
}
