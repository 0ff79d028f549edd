// The service, started anew at every change, and the web UI, replaced in the page at every change; in one terminal.
// The page is at the address that is printed; what it asks of the service is handed on to the gate. Ctrl+C ends both.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createServer } from 'vite'

const root = resolve(import.meta.dirname, '..')
/** Where the gate listens, if not where it does by default. */
const gate = process.env['GATE'] ?? 'https://localhost:8971'

const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
})
const web = await createServer({
  root: resolve(root, 'web'),
  clearScreen: false,
  // The page's Host and Origin stay as the browser sent them, so the gate sees them agree.
  server: { proxy: { '/api': { target: gate, secure: false, ws: true } } },
})
await web.listen()
web.printUrls()

async function stop() {
  service.kill('SIGTERM')
  await web.close()
}
service.on('exit', () => void web.close())
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
