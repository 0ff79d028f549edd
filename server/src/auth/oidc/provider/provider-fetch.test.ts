import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { providerFetch } from './provider-fetch.ts'

async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const get = (url: string, signal?: AbortSignal) =>
  providerFetch(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual', ...(signal && { signal }) })

test('a response of usual size is passed on', async () => {
  const url = await serverOf((_request, response) => response.setHeader('content-type', 'application/json').end('{}'))
  const response = await get(url)
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'application/json',
    '{}',
  ])
})

test('a redirect is not followed, not even on the same host', async () => {
  const requested: (string | undefined)[] = []
  const url = await serverOf((request, response) => {
    requested.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await expect(get(url)).rejects.toThrow()
  expect(requested).toEqual(['/'])
})

test('what is sent arrives as it is', async () => {
  const url = await serverOf((request, response) => {
    response.setHeader('content-type', request.headers['content-type'] ?? '').writeHead(400)
    request.pipe(response)
  })
  const headers = { 'content-type': 'text/plain' }
  const response = await providerFetch(url, { method: 'POST', headers, body: 'code=1', redirect: 'manual' })
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    400,
    'text/plain',
    'code=1',
  ])
})

test.each<[sent: number, method: 'GET' | 'POST', body: string, status: number]>([
  [200, 'POST', '{"error":"bad_verification_code"}', 400],
  [200, 'POST', '{"error":"invalid_grant","access_token":"x"}', 200],
  [200, 'POST', '{"access_token":"x"}', 200],
  [200, 'POST', '{}', 200],
  [200, 'POST', 'null', 200],
  [200, 'POST', '{"error":', 200],
  [200, 'GET', '{"error":"x"}', 200],
  [401, 'POST', '{"error":"invalid_client"}', 401],
])('the response %i to %s with %s has the status %i', async (sent, method, body, status) => {
  const url = await serverOf((_request, response) => response.writeHead(sent).end(body))
  const response = await providerFetch(url, { method, headers: {}, body: undefined, redirect: 'manual' })
  expect([response.status, await response.text()]).toEqual([status, body])
})

test.each([204, 205, 304])('a response without a body, %s, is passed on', async (status) => {
  const url = await serverOf((_request, response) => response.writeHead(status).end())
  expect((await get(url)).status).toBe(status)
})

test('a response of exactly half a megabyte is read', async () => {
  const url = await serverOf((_request, response) => response.end(Buffer.alloc(512 * 1024)))
  expect((await (await get(url)).arrayBuffer()).byteLength).toBe(512 * 1024)
})

test('the caller can end a request', async () => {
  const url = await serverOf(() => undefined)
  await expect(get(url, AbortSignal.abort(new Error('the caller left')))).rejects.toThrow('the caller left')
})

test('an endless response fails after half a megabyte', async () => {
  const url = await serverOf((_request, response) => {
    const send = (): void => void response.write(Buffer.alloc(65_536), (error) => (error ? undefined : send()))
    send()
  })
  await expect(get(url)).rejects.toThrow(/larger than/)
})

test('a small compressed response that becomes a large one fails after half a megabyte', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const url = await serverOf((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
  await expect(get(url)).rejects.toThrow(/larger than/)
})

test('a whole response has ten seconds, whatever the caller allows', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort(new Error('too late')))
  onTestFinished(() => timeout.mockRestore())
  const url = await serverOf((_request, response) => response.end())
  await expect(get(url, new AbortController().signal)).rejects.toThrow('too late')
  expect(timeout).toHaveBeenCalledWith(10_000)
})

test('a response that stops in the middle ends with the deadline', async () => {
  const url = await serverOf((_request, response) => void response.write('{'))
  await expect(get(url, AbortSignal.timeout(50))).rejects.toThrow(/timeout|aborted/i)
})
