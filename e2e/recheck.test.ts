import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { pageStopwatch } from './browser.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage } from './tabs.ts'

const executablePath = program('chromium')
/** Seconds. */
const recheck_interval = 4

/** A proxy that signs in `ann` until `signAnnOut`. */
interface Proxy {
  readonly base: string
  /** Paths of the WebSockets that the proxy let through. */
  readonly sockets: string[]
  signAnnOut(): void
}

async function startProxy({ gatePort }: Service): Promise<Proxy> {
  let signedIn = true
  const sockets: string[] = []
  const identity = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'viewer' }
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!signedIn) return outgoing.writeHead(401).end()
    const { method, url, headers } = incoming
    const options = { host: '127.0.0.1', port: gatePort, method, path: url, headers: { ...headers, ...identity } }
    const onward = request(options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    return incoming.pipe(onward)
  })
  server.on('upgrade', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    if (!signedIn) return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
    sockets.push(url)
    const onward = connect(gatePort, '127.0.0.1')
    const lines = Object.entries({ ...headers, ...identity }).map(([name, value]) => `${name}: ${String(value)}`)
    onward.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    signAnnOut: () => (signedIn = false),
  }
}

/** Records every state and every video source of a camera's tile from now on. */
const watchTile = (page: Page) =>
  page.evaluate(`(() => {
    const tile = document.querySelector('[data-camera="yard"]')
    const seen = (window.seen = { states: new Set(), sources: new Set() })
    const look = () => {
      seen.states.add(tile.dataset.state)
      seen.sources.add(tile.querySelector('video').src)
      requestAnimationFrame(look)
    }
    look()
  })()`)
const seen = (page: Page) =>
  page.evaluate<{ states: string[]; sources: string[] }>(
    `({ states: [...window.seen.states], sources: [...window.seen.sources] })`,
  )
const time = (page: Page) => page.evaluate<number>(`document.querySelector('[data-camera="yard"] video').currentTime`)

describe.skipIf(!executablePath)('a page behind a proxy with rechecks', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({
      config: {
        tls: { enabled: false },
        proxy: {
          enabled: true,
          trusted_peers: ['127.0.0.1'],
          header_map: { user: 'x-forwarded-user', role: 'x-forwarded-groups' },
          recheck_interval,
        },
        cameras: { yard: { source: 'demo:yard', title: 'Side yard' } },
      },
    })
  })
  afterAll(stopAll)

  test('[PROXY-18] the video plays without a gap, and disappears once the proxy signs the user out', async () => {
    const proxy = await startProxy(service)
    const page = await newPage()
    await page.goto(proxy.base)
    await page.locator('[data-camera="yard"][data-state="playing"]').waitFor()

    await watchTile(page)
    const before = await time(page)
    const opened = (path: string) => proxy.sockets.filter((url) => url.startsWith(path)).length
    const live = opened('/api/cameras/yard/live')
    await expect.poll(() => opened('/api/cameras/yard/live')).toBeGreaterThanOrEqual(live + 3)
    expect(opened('/api/events')).toBeGreaterThanOrEqual(3)
    expect(await seen(page)).toEqual({ states: ['playing'], sources: [expect.stringMatching(/^blob:/) as string] })
    // Longer than a connection lasts: three times the recheck interval, minus what had played before.
    expect(await time(page)).toBeGreaterThan(before + recheck_interval)

    proxy.signAnnOut()
    const elapsed = pageStopwatch()
    await page.locator('[data-camera="yard"] video').waitFor({ state: 'detached' })
    expect(elapsed()).toBeLessThan(recheck_interval * 1000 + 5000)
  })
})
