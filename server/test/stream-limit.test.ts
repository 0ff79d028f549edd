import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { namingVersion, signIn, startService, type TestClient } from './harness.ts'

const live = '/api/cameras/yard/live'

async function open(at: TestClient, path: string): Promise<WebSocket> {
  const socket = at.socket(path)
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

/** The response that refused a WebSocket. */
async function refusal(at: TestClient, path: string): Promise<string> {
  const [error] = (await once(at.socket(path), 'error')) as [Error]
  return error.message
}

test('one stream more than the limit per user is 429, with the reason, of any kind and in any session', async () => {
  const service = await startService({ config: { http: { streams_per_user: 16 } } })
  const ann = await service.user('ann')
  const otherSession = await signIn(service.gate, 'ann')
  const vera = await service.user('vera')
  const sockets = await Promise.all(
    Array.from({ length: 16 }, (_, at) => open(at % 2 ? ann : otherSession, at % 4 ? live : '/api/events')),
  )
  for (const at of [ann, otherSession]) {
    expect(await refusal(at, live)).toContain('429')
    expect(await refusal(at, '/api/events')).toContain('429')
    // As server-sent events, and without an upgrade, which is how the page reads the reason.
    for (const path of ['/api/events', live]) {
      const answer = await at.get(path)
      expect([answer.status, answer.json]).toMatchObject([
        429,
        { code: 'too-many-attempts', reason: { code: 'too-many-streams', values: { max: 16 } } },
      ])
      expect(answer.headers).toMatchObject({
        'retry-after': '10',
        'content-type': expect.stringMatching(/^application\/problem\+json/) as string,
      })
    }
    // Requests that are not streams still work.
    expect((await at.get('/api/cameras')).status).toBe(200)
  }
  // Other users are not affected, and the internal port has no limit.
  await open(vera, live)
  await Promise.all(Array.from({ length: 20 }, () => open(service.internal, live)))

  sockets[0]!.close()
  await once(sockets[0]!, 'close')
  await expect.poll(() => ann.get(live).then(({ status }) => status)).toBe(426)
  await open(ann, live)
  expect(await refusal(ann, live)).toContain('429')
})

test('the API reference is not sent again to clients that have it', async () => {
  const service = await startService()
  const ann = await service.user('ann')
  const { status, headers, text } = await ann.get('/api/openapi.json')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/json; charset=utf-8',
    'private, no-cache',
  ])
  expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0' })
  for (const named of namingVersion(headers.etag!)) {
    const again = await ann.get('/api/openapi.json', { 'if-none-match': named })
    expect([again.status, again.text], named).toEqual([304, ''])
  }
  expect((await service.gate.get('/api/openapi.json', { 'if-none-match': headers.etag! })).status).toBe(401)
})
