import { startApp, type App } from './app.ts'
import { systemClock } from './shared/time/clock.ts'
import { StartError } from './shared/errors.ts'
import { startMuxingThread } from './exports/muxing/muxing-thread.ts'
import { createHashingProcess } from './users/password/hashing-process.ts'

/** Milliseconds until a stop is forced. */
const timeout = 4500

let app: App | undefined
let stopping = false
let status = 0

// Installed before startup: a stop signal during startup takes effect when the service has started.
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
process.on('unhandledRejection', failed)
process.on('uncaughtException', failed)

try {
  app = await startApp({
    env: process.env,
    output: process.stdout,
    clock: systemClock,
    createHashing: createHashingProcess,
    startMuxer: startMuxingThread,
  })
  if (stopping) await end(app)
} catch (error) {
  forceExit(error)
}

async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  systemClock.after(timeout, () => process.exit(1))
  if (app) await end(app)
}

async function end(started: App): Promise<void> {
  await started.stop()
  process.exit(status)
}

/** After an uncaught error the state is unknown: the service stops in the normal way and its supervisor restarts it. */
function failed(error: unknown): void {
  if (!app) forceExit(error)
  status = 1
  app.failed(error)
  void stop()
}

function forceExit(error: unknown): never {
  const known = error instanceof StartError
  const reported = known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`Gatehouse cannot start. ${reported}\n`)
  process.exit(known ? error.status : 1)
}
