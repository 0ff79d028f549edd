import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { childrenReading } from './support/children.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'

/** A camera that accepts connections, and sends nothing: a test of it takes twenty seconds. */
async function silentCamera(): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const entriesOf = async ({ internal }: InProcessService): Promise<object[]> =>
  ((await internal.get('/api/audit?action=camera.test')).json as { entries: object[] }).entries

const soon = { timeout: 10_000, interval: 50 }

test('[AUD-3] a connection test ends with its ffmpeg when the client disconnects, is audited, and makes room for another', async () => {
  const service = await startService({ config: { cameras: quietCameras } })
  const port = await silentCamera()
  const source = `rtsp://127.0.0.1:${port}/stream`
  const test = () => {
    const outgoing = request({
      host: '127.0.0.1',
      port: service.internal.port,
      method: 'POST',
      path: '/api/cameras/test',
      headers: { 'content-type': 'application/json' },
      agent: false,
    })
    outgoing.on('error', () => undefined).end(JSON.stringify({ source }))
    return outgoing
  }
  const tests = [test(), test()]
  const reading = () => childrenReading(port, process.pid)
  await expect.poll(() => reading().length, { timeout: 60_000 }).toBe(2)
  const third = await service.internal.post('/api/cameras/test', { source })
  expect(third).toMatchObject({ status: 503, json: { reason: { code: 'connection-test-busy' } } })
  for (const each of tests) each.destroy()
  await expect.poll(reading, soon).toEqual([])
  const canceled = { result: 'failure', detail: 'canceled', target: `rtsp://127.0.0.1:${port}`, address: '127.0.0.1' }
  await expect.poll(() => entriesOf(service), soon).toMatchObject([canceled])
  const next = [test(), test()]
  await expect.poll(() => reading().length, { timeout: 60_000 }).toBe(2)
  for (const each of next) each.destroy()
  await expect.poll(reading, soon).toEqual([])
})
