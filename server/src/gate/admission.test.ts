import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noOne, portOf, testPort } from '../../test/support/test-port.ts'
import { ServiceError } from '../shared/errors.ts'

describe('admission', () => {
  test('[CAM-1] a camera’s request is rejected, and logged once a minute', async () => {
    const { send, logged } = await testPort()
    const headers = { 'x-gatehouse-camera': '' }
    expect([(await send({ headers })).status, (await send({ headers, url: '/page' })).status]).toEqual([403, 403])
    expect(logged).toEqual([['warn', 'request rejected: sent by a camera', { address: '' }]])
  })

  test.each<[string, number]>([
    ['/api/x', 200],
    ['/api/x?a=..//', 200],
    ['/%61pi/x', 200],
    ['/api//x', 400],
    ['/api/x%2fy', 400],
    ['/api/%zz', 400],
    ['/%', 400],
    ['/page//', 400],
  ])('[PATH-1] the path %s gets %i', async (url, status) => {
    const { send } = await testPort()
    const response = await send({ url })
    expect([response.status, response.headers['x-every']]).toEqual([status, 'response'])
    if (status === 400) expect(response.code).toBe('unsafe-path')
  })

  test.each([
    ['/gate/api/x', 200],
    ['/api/x', 200],
    ['/gate/gate/api/x', 200],
    ['/gate//api/x', 400],
  ])('[PATH-3] below the base path, %s gets %i', async (url, status) => {
    const { send } = await testPort({ basePath: '/gate/' })
    const { status: found, body } = await send({ url })
    expect([found, body === 'page']).toEqual([status, url === '/gate/gate/api/x'])
  })

  test.each([
    ['GET /api/x HTTP/1.1\r\nHost: a\r\n', 200],
    ['GET /api/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n', 400],
    ['GET /api/x HTTP/1.1\r\nHost: a\r\nHost: a\r\n', 400],
    ['GET /api/x HTTP/1.1\r\n', 400],
    ['GET /api/x HTTP/1.0\r\n', 200],
    ['GET /api/x HTTP/1.0\r\nHost: a\r\nHost: b\r\n', 400],
    ['GET /api/y/../x HTTP/1.1\r\nHost: a\r\n', 400],
    ['GET /api/%2e%2e/x HTTP/1.1\r\nHost: a\r\n', 400],
    ['GET /gate/../api/x HTTP/1.1\r\nHost: a\r\n', 400],
  ])('[PATH-1] %j gets %i', async (head, status) => {
    const { app } = await testPort({ basePath: '/gate/' })
    const client = connectTo({ host: '127.0.0.1', port: await portOf(app) })
    onTestFinished(() => void client.destroy())
    client.write(`${head}Connection: close\r\n\r\n`)
    const [first] = (await once(client, 'data')) as [Buffer]
    expect(first.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('the port’s own guard comes before authentication, for pages too', async () => {
    const { send } = await testPort({
      authentication: noOne,
      guardPort: () => {
        throw new ServiceError('misdirected')
      },
    })
    expect([(await send()).status, (await send({ url: '/page' })).status]).toEqual([421, 421])
  })
})
