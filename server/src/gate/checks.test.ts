import { expect, onTestFinished, test, vi } from 'vitest'
import { bareServer } from '../../test/support/bare-server.ts'
import type { Authenticated, Authentication } from '../http/authentication.ts'
import { route } from '../http/route.ts'
import { ServiceError } from '../shared/errors.ts'

const viewer: Authentication = {
  identity: {
    kind: 'authenticated',
    authMethod: 'proxy',
    name: 'ann',
    key: 'ann',
    userId: null,
    role: 'viewer',
    session: undefined,
  },
  ambient: true,
  reauthenticate: () => viewer,
}

/** A port whose steps are recorded in the order in which they run. */
async function port() {
  const steps: string[] = []
  const guardPort = vi.fn(() => void steps.push('guard'))
  const authenticate = vi.fn((): Authenticated => {
    steps.push('authenticate')
    return viewer
  })
  const find = (name: string): Promise<string | undefined> => {
    steps.push('authorize')
    return Promise.resolve(name)
  }
  const handle = () => void steps.push('handle')
  const schema = { summary: 'A test' }
  const app = await bareServer({
    routes: [
      route({
        method: 'POST',
        path: '/api/items/:item',
        access: { camera: 'live', of: ({ item }) => find(item ?? '') },
        schema,
        handle,
      }),
    ],
    authenticate,
    authenticateLink: authenticate,
    guardPort,
    allowedOrigins: () => {
      steps.push('csrf')
      return []
    },
    clientOf: () => ({ address: '', encrypted: false, knownEncrypted: false, host: 'here', basePath: '/' }),
  })
  onTestFinished(() => app.close())
  const post = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode } = await app.inject({ method: 'POST', url, headers })
    return { status: statusCode, steps }
  }
  return { app, steps, guardPort, authenticate, post }
}

const here = { origin: 'http://here', host: 'here' }
const denied = () => {
  throw new ServiceError('unauthenticated')
}

test('a request passes the checks in one order', async () => {
  const { post } = await port()
  expect(await post('/api/items/yard', here)).toEqual({
    status: 204,
    steps: ['guard', 'authenticate', 'csrf', 'authorize', 'handle'],
  })
})

test('[CAM-1] a camera’s request and an unsafe path are rejected before every other check', async () => {
  const { post } = await port()
  expect(await post('/api/items/yard', { ...here, 'x-gatehouse-camera': '1' })).toEqual({ status: 403, steps: [] })
  expect(await post('/api//items/yard', here)).toEqual({ status: 400, steps: [] })
})

test('a request that a check rejects reaches none of the later ones', async () => {
  const { post, guardPort, authenticate, steps } = await port()
  expect(await post('/api/items/yard', { ...here, origin: 'http://elsewhere' })).toMatchObject({ status: 403 })
  expect(steps.splice(0)).toEqual(['guard', 'authenticate', 'csrf'])
  expect(await post('/api/items/office', here)).toMatchObject({ status: 404 })
  expect(steps.splice(0)).toEqual(['guard', 'authenticate', 'csrf', 'authorize'])
  authenticate.mockImplementation(() => Promise.reject(new ServiceError('unavailable')))
  expect(await post('/api/items/yard', here)).toMatchObject({ status: 503 })
  expect(steps.splice(0)).toEqual(['guard'])
  guardPort.mockImplementation(denied)
  expect(await post('/api/items/yard', here)).toEqual({ status: 401, steps: [] })
})

test('an identity that has to be looked up is waited for', async () => {
  const { post, authenticate } = await port()
  authenticate.mockImplementation(() => Promise.resolve(viewer))
  expect(await post('/api/items/yard', here)).toMatchObject({
    status: 204,
    steps: ['guard', 'csrf', 'authorize', 'handle'],
  })
})
