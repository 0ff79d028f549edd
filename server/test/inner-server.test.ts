import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { innerWorld, startInnerInstance } from './support/inner-instances.ts'

afterAll(stopAll)

test('[NODE-3] a stream for a request that was given up is ended, and the next request is answered', async () => {
  const world = innerWorld()
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const body = new Readable({ read() {} })
  await startInnerInstance('owner', world, {
    routes: [
      {
        path: '/slow',
        action: 'status',
        scope: 'service',
        async handle() {
          reached.resolve()
          await released.promise
          return { body }
        },
      },
      { path: '/quick', action: 'status', scope: 'service', handle: () => ({ body: 'here' }) },
    ],
  })
  const { client } = await startInnerInstance('gate', world)
  const ticket = { camera: null, action: 'status' } as const
  const abort = new AbortController()
  const refused = expect(
    client.request('owner', { path: '/slow', ticket, signal: abort.signal }),
  ).rejects.toMatchObject({ code: 'unavailable' })
  await reached.promise
  abort.abort()
  await refused
  // The connection is closed at the other end too.
  expect((await client.request('owner', { path: '/quick', ticket })).status).toBe(200)
  await new Promise((done) => setImmediate(done))
  released.resolve()
  await expect.poll(() => body.destroyed).toBe(true)
  expect((await client.request('owner', { path: '/quick', ticket })).status).toBe(200)
})

test('[NODE-3] nothing is read from an instance with another protocol, and the error says so', async () => {
  const world = innerWorld()
  const body = Readable.from(['video that would be misread'])
  const route = { path: '/video', action: 'status', scope: 'service' } as const
  await startInnerInstance('newer', world, { protocol: 2, routes: [{ ...route, handle: () => ({ body }) }] })
  await startInnerInstance('same', world, { routes: [{ ...route, handle: () => ({ body: 'video' }) }] })
  const { client } = await startInnerInstance('gate', world)
  const request = (instance: string, path: `/${string}`) =>
    client.request(instance, { path, ticket: { camera: null, action: 'status' } })
  for (const path of ['/video', '/nothing'] as const)
    await expect(request('newer', path)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'instance-other-protocol',
    })
  await expect.poll(() => body.destroyed).toBe(true)
  expect((await request('same', '/video')).status).toBe(200)
  expect((await request('same', '/nothing')).status).toBe(404)
})
