import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'

test('npm run dev leaves no service running if its URL is unknown', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'config.yml'), 'networking: { gate: { port: 0 } }\n')
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../dev.mjs')], {
    env: { ...process.env, CONFIG_DIR: folder, GATEHOUSE: '' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const isRunning = () => {
    try {
      // Every process that it started is in its group.
      return process.kill(-child.pid!, 0)
    } catch {
      return false
    }
  }
  onTestFinished(() => void (isRunning() && process.kill(-child.pid!)))
  let printed = ''
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()))
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(isRunning()).toBe(false)
  // Only then has everything been read that it printed.
  await closed
  expect(code, printed).toBe(1)
  expect(printed).toContain('the gate has no fixed port')
})
