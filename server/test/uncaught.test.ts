import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ffmpeg, until } from './cameras-alone.ts'
import { childrenOf } from './children.ts'
import { startGatehouse } from './harness.ts'
import { startRtspCamera } from './rtsp-camera.ts'

const preload = pathToFileURL(join(import.meta.dirname, 'crash-on-signal.mjs')).href

test.each(['exception', 'rejection'])(
  'after an uncaught %s, the service finalizes its recordings, ends its child processes, and exits with 1',
  { timeout: 120_000 },
  async (fault) => {
    const cam = await startRtspCamera({ ffmpeg })
    onTestFinished(() => cam.stop())
    const house = await startGatehouse({
      env: { NODE_OPTIONS: `--import ${preload}`, FAULT: fault },
      config: { cameras: { yard: { source: cam.url() } } },
    })
    await until(async () => {
      expect((await house.inside.get('/api/cameras/yard')).json).toMatchObject({ recording_state: 'recording' })
    })
    const service = house.process.pid ?? 0
    expect(childrenOf(service).length).toBeGreaterThan(0)

    const exit = once(house.process, 'exit')
    const began = performance.now()
    house.process.kill('SIGUSR2')
    const [status] = (await exit) as [number | null]
    expect(status).toBe(1)
    expect(performance.now() - began).toBeLessThan(5000)
    expect(house.output()).toMatch(/uncaught exception.*injected|injected.*uncaught exception/)
    expect(house.output()).toContain('stopping')
    expect(childrenOf(service)).toEqual([])

    const again = await house.restart({ env: {} })
    expect(again.output()).not.toMatch(/segment quarantined|failed to finalize segment/)
    const now = Math.floor(Date.now() / 1000)
    const path = `/api/cameras/yard/recordings?after=${now - 3600}&before=${now + 60}`
    expect((await again.inside.get(path)).json).toMatchObject({ segments: [expect.anything()] })
  },
)

test('a log that is no longer read stops nothing', async () => {
  const house = await startGatehouse({ config: { logger: { default: 'debug' } } })
  house.process.stdout?.destroy()
  house.process.stderr?.destroy()
  for (let i = 0; i < 20; i++) await house.inside.get('/api/nothing-here')
  await house.inside.put('/api/config/raw', 'no: key', { 'if-match': '*', 'content-type': 'text/yaml' })
  await house.user('uma')
  expect((await house.inside.get('/api/health')).status).toBe(200)
  expect(house.process.exitCode).toBeNull()
})
