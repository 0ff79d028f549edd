// Runs the service, restarted on every change, and the web UI with hot reload, in one terminal.
// The page is at the printed URL; its API requests are forwarded to the service. Ctrl+C stops both.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createServer } from 'vite'
import { serviceUrl } from './dev/service-url.ts'

const root = resolve(import.meta.dirname, '..')
// Before the service starts: this can fail, and would leave it running.
const target = serviceUrl(process.env, root)

const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/start-sources.mjs'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
})
const web = await createServer({
  configFile: resolve(root, 'web/vite.config.ts'),
  clearScreen: false,
  server: { proxy: { '/api': { target, secure: false, ws: true } } },
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
