import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import { startApp } from '../../src/app.ts'
import type { Surroundings } from '../../src/app/core.ts'
import { startMuxingThread } from '../../src/exports/muxing/muxing-thread.ts'
import { StartError } from '../../src/shared/errors.ts'
import { createHashingProcess } from '../../src/users/password/hashing-process.ts'
import { createHashingProcess as createCheapHashing } from './cheap-hashing.ts'
import { onTestFinishedOrLater } from './cleanups.ts'
import { clientsOf } from './service-clients.ts'
import { createSandbox, environmentOf, populate, prepare, type Sandbox } from './service-folder.ts'
import type { ConfigOptions, Service } from './service.ts'
import { createTestClock, type TestClock } from './test-clock.ts'
import { createTranscript } from './transcript.ts'

/** The service in the process of the test. Starts in a tenth of the time, and the test can move its clock. */
export interface InProcessService extends Service {
  readonly clock: TestClock
  /**
   * Stops the service, and puts its folders back to the moment before, which is what a kill would leave. Child processes
   * are ended, and what was written to PostgreSQL stays.
   */
  kill(): Promise<void>
  /** Keeps the clock, too. */
  restart(changes?: Partial<InProcessOptions>): Promise<InProcessService>
}

export interface InProcessOptions extends ConfigOptions {
  /** Hashes passwords, instead of the cheap function. */
  readonly createHashing: Surroundings['createHashing']
}

/**
 * Starts the service in this process. Its clock runs and can be moved; passwords are hashed with a cheap function. Two
 * services share nothing but the process.
 */
export async function startService(
  options: Partial<InProcessOptions> = {},
  clock = createTestClock({ now: Date.now(), runs: true }),
): Promise<InProcessService> {
  const sandbox = await createSandbox()
  const runs: Service[] = []
  onTestFinishedOrLater(() => Promise.all(runs.map((each) => each.stop())))
  await populate(sandbox, options)
  return runInProcess(sandbox, options, clock, runs)
}

/** How a start failed. */
class StartFailure extends Error {
  /** The exit status that the process would have. */
  readonly status: number
  /** What it would print: the log, and the reason. */
  readonly output: string

  constructor({ status, message }: StartError, log: string) {
    super(message)
    this.status = status
    this.output = `${log}${message}\n`
  }
}

/** A start that should fail, and leave no timer behind. */
export async function failedStart(options: Partial<InProcessOptions>): Promise<StartFailure> {
  const clock = createTestClock({ now: Date.now(), runs: true })
  return failureOf(startService(options, clock), clock)
}

/** The same with the folder of a service, which is stopped first. */
export const failedRestart = (
  service: InProcessService,
  changes: Partial<InProcessOptions> = {},
): Promise<StartFailure> => failureOf(service.restart(changes), service.clock)

async function failureOf(start: Promise<unknown>, clock: TestClock): Promise<StartFailure> {
  const error: unknown = await start.catch((cause: unknown) => cause)
  if (clock.pending() > 0) throw new Error(`the failed start left ${clock.pending()} timers`)
  if (error instanceof StartFailure) return error
  throw new Error('the service started, or failed in another way', { cause: error })
}

async function runInProcess(
  sandbox: Sandbox,
  options: Partial<InProcessOptions>,
  clock: TestClock,
  runs: Service[],
): Promise<InProcessService> {
  prepare(sandbox, options)
  let stopping: Promise<void> | undefined
  const transcript = createTranscript(() => stopping !== undefined)
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      transcript.take(chunk)
      done()
    },
  })
  const { createHashing = options.realHashes ? createHashingProcess : createCheapHashing } = options
  const { startMuxer = startMuxingThread } = options.held ?? {}
  const env = environmentOf(sandbox, options.env)
  const app = await startApp({ env, output, clock, createHashing, startMuxer }).catch((error: unknown) => {
    throw error instanceof StartError ? new StartFailure(error, transcript.text()) : error
  })
  const service: InProcessService = {
    ...sandbox,
    ...clientsOf(sandbox, transcript),
    clock,
    output: transcript.text,
    printed: transcript.printed,
    async stop() {
      await (stopping ??= app.stop())
      return 0
    },
    async kill() {
      const { dir, configDir, mediaDir } = sandbox
      const left = join(dir, 'left')
      mkdirSync(left)
      execFileSync('cp', ['--archive', '--reflink=auto', configDir, mediaDir, left])
      await service.stop()
      for (const folder of [configDir, mediaDir]) {
        rmSync(folder, { recursive: true })
        renameSync(join(left, basename(folder)), folder)
      }
      rmSync(left, { recursive: true })
    },
    async restart(changes = {}) {
      await service.stop()
      return runInProcess(sandbox, { ...options, config: undefined, ...changes }, clock, runs)
    },
  }
  runs.push(service)
  return service
}
