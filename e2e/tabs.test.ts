import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onTestFinishedOrLater, stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, signedIn } from './tabs.ts'

describe.skipIf(!program('chromium'))('a page that tests take turns with', () => {
  let service: Service
  let first: Page
  const requested: string[] = []
  /** A site whose addresses lead to the service, except this one. */
  let elsewhere: string

  beforeAll(async () => {
    service = await startService({ config: { tls: { enabled: false } } })
    await service.user('vera')
    const server = createServer(({ url }, response) => {
      if (url === '/') response.setHeader('content-type', 'text/html').end('<title>Elsewhere</title>')
      else response.writeHead(302, { location: service.gate.base }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinishedOrLater(() => server.close())
    elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(stopAll)

  test('is used by a test that leaves something everywhere', async () => {
    first = await signedIn(service, 'vera', '/account')
    await first.evaluate(`localStorage.setItem('kept', 'yes'); sessionStorage.setItem('kept', 'yes')`)
    await first.evaluate(`addEventListener('beforeunload', (event) => event.preventDefault())`)
    await first.route('**/api/health', (route) => route.fulfill({ status: 418 }))
    first.on('request', (request) => requested.push(request.url()))
    await first.getByLabel('New password').fill('a page with unsaved changes')
    await first.context().newPage()
    expect(() => first.addInitScript('')).toThrow('use ownPage')
  })

  test('has nothing of that in the next one', async () => {
    const page = await newPage()
    expect(page).toBe(first)
    requested.length = 0
    await page.goto(`${service.gate.base}/account`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    const kept = await page.evaluate(`[localStorage, sessionStorage].map((storage) => storage.getItem('kept'))`)
    expect(kept).toEqual([null, null])
    expect(await page.evaluate(`fetch('/api/health').then(({ status }) => status)`)).toBe(200)
    expect(requested).toEqual([])
    expect(page.context().pages()).toEqual([page])
  })

  test('is used by a test that leaves something on two sites', async () => {
    const page = await newPage()
    expect(page).toBe(first)
    for (const { base } of [service.gate, service.internal]) {
      await page.goto(`${base}/login`)
      await page.evaluate(`localStorage.setItem('kept', 'yes'); sessionStorage.setItem('kept', 'yes')`)
    }
  })

  test('has nothing of either site in the next one', async () => {
    const page = await newPage()
    expect(page).toBe(first)
    for (const { base } of [service.gate, service.internal]) {
      await page.goto(`${base}/login`)
      expect(await page.evaluate(`[localStorage.getItem('kept'), sessionStorage.getItem('kept')]`)).toEqual([
        null,
        null,
      ])
    }
  })

  test('is used by a test on a site that can’t be visited again', async () => {
    const page = await newPage()
    expect(page).toBe(first)
    await page.goto(elsewhere)
    expect(await page.title()).toBe('Elsewhere')
  })

  test('is a new one after that', async () => {
    expect(await newPage()).not.toBe(first)
    expect(first.isClosed()).toBe(true)
  })
})
