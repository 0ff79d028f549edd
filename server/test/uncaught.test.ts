import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ffmpeg, until } from './support/cameras-alone.ts'
import { childrenOf } from './support/children.ts'
import { ownTimeOf } from './support/own-time.ts'
import { startRtspCamera } from './support/rtsp-camera.ts'
import { startGatehouse } from './support/start-gatehouse.ts'

const preload = pathToFileURL(join(import.meta.dirname, 'support/crash-on-signal.mjs')).href

test.each(['exception', 'rejection'])(
  'after an uncaught %s, the service finalizes its recordings, ends its child processes, and exits with 1',
  async (fault) => {
    const cam = await startRtspCamera({ ffmpeg })
    onTestFinished(() => cam.stop())
    const gatehouse = await startGatehouse({
      env: { NODE_OPTIONS: `--import ${preload}`, FAULT: fault },
      config: { cameras: { yard: { source: cam.url() } } },
    })
    await until(async () => {
      expect((await gatehouse.internal.get('/api/cameras/yard')).json).toMatchObject({ recording_state: 'recording' })
    })
    const service = gatehouse.process.pid ?? 0
    expect(childrenOf(service).length).toBeGreaterThan(0)

    const exit = once(gatehouse.process, 'exit')
    const took = await ownTimeOf(() => {
      gatehouse.process.kill('SIGUSR2')
      return exit
    }, service)
    expect((await exit)[0]).toBe(1)
    expect(took).toBeLessThan(5000)
    expect(gatehouse.output()).toMatch(/uncaught exception.*injected|injected.*uncaught exception/)
    expect(gatehouse.output()).toContain('stopping')
    expect(childrenOf(service)).toEqual([])

    const again = await gatehouse.restart({ env: {} })
    expect(again.output()).not.toMatch(/segment quarantined|failed to finalize segment/)
    const now = Math.floor(Date.now() / 1000)
    const path = `/api/cameras/yard/recordings?after=${now - 3600}&before=${now + 60}`
    // One, or more where the steps above took longer than a segment lasts.
    expect((await again.internal.get(path)).json).toMatchObject({
      segments: expect.arrayContaining([expect.anything()]),
    })
  },
)

test('a log that is no longer read stops nothing', async () => {
  const gatehouse = await startGatehouse({ config: { logger: { default: 'debug' } } })
  gatehouse.process.stdout?.destroy()
  gatehouse.process.stderr?.destroy()
  for (let i = 0; i < 20; i++) await gatehouse.internal.get('/api/nothing-here')
  await gatehouse.internal.put('/api/config/raw', 'no: key', { 'if-match': '*', 'content-type': 'text/yaml' })
  await gatehouse.user('uma')
  expect((await gatehouse.internal.get('/api/health')).status).toBe(200)
  expect(gatehouse.process.exitCode).toBeNull()
})
