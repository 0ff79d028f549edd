import { startApp, type App } from './app.ts'
import { StartError } from './shared/errors.ts'

/** Milliseconds after which a stop ends, whatever hangs. */
const timeout = 4500

let app: App | undefined
let stopping = false
let status = 0

// From the first moment on: who is told to stop while it starts stops when it has started.
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
process.on('unhandledRejection', failed)
process.on('uncaughtException', failed)

try {
  app = await startApp(process.env, process.stdout)
  if (stopping) await end(app)
} catch (error) {
  forceExit(error)
}

async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), timeout).unref()
  if (app) await end(app)
}

async function end(started: App): Promise<void> {
  await started.stop()
  process.exit(status)
}

/** The state of the service is unknown now: it stops as it would when asked to, and its supervisor starts it again. */
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
