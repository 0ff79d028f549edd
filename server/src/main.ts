import { startApp } from './app.ts'
import { StartError } from './shared/errors.ts'

try {
  const app = await startApp(process.env, process.stdout)
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    // Whatever hangs, a stop takes less than five seconds.
    setTimeout(() => process.exit(1), 4500).unref()
    await app.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  process.on('unhandledRejection', (error) => app.failed(error))
  process.on('uncaughtException', (error) => app.failed(error))
} catch (error) {
  if (error instanceof StartError) {
    process.stderr.write(`Gatehouse cannot start. ${error.message}\n`)
    process.exit(error.status)
  }
  process.stderr.write(
    `Gatehouse cannot start. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exit(1)
}
