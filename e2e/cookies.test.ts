import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { frontsHere, startFront, startGuard } from '../server/test/support/guide-fronts.ts'
import { program } from '../server/test/support/programs.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import type { Service } from '../server/test/support/service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, ownPage } from './tabs.ts'

const executablePath = program('chromium')

const start = async (tls: object) => {
  const service = await startService({ config: { tls, cameras: quietCameras } })
  await service.user('vera')
  return service
}

const signIn = async (page: Page) => {
  await page.getByLabel('Username').fill('vera')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const signedIn = (page: Page) => page.getByRole('button', { name: 'Account: vera' }).waitFor()
const ours = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => name === 'gatehouse_token').map(({ path }) => path)

describe.skipIf(!executablePath)('browser storage', () => {
  let secure: Service
  let plain: Service
  beforeAll(async () => {
    secure = await start({})
    plain = await start({ enabled: false })
  })
  afterAll(stopAll)

  test.skipIf(!frontsHere.nginx || !frontsHere.caddy).each(['nginx', 'caddy'] as const)(
    '[PROXY-14] [TOK-4] behind %s, configured as in the guide, a session opens another program on its port, not on another host',
    async (name) => {
      const another = createServer(({ headers }, response) => response.end(`Hello, ${String(headers['remote-user'])}`))
      another.listen(0, '127.0.0.1')
      onTestFinished(() => void another.close())
      await once(another, 'listening')
      const front = await startFront(name, secure)
      const other = await startGuard(name, secure, { other: (another.address() as AddressInfo).port })
      const page = await newPage()
      expect((await page.goto(`${other.base}/page`))?.status()).toBe(401)
      await page.goto(front.base)
      await signIn(page)
      await signedIn(page)
      const response = await page.goto(`${other.base}/page`)
      expect(await response?.text()).toBe('Hello, vera')
      expect(await response?.headerValue('set-cookie')).toMatch(/^gatehouse_token=/)
      expect((await page.goto(`https://localhost:${other.port}/page`))?.status()).toBe(401)
      await page.goto(front.base)
      await signedIn(page)
    },
  )

  test.each<[how: string, path: string, service: () => Service]>([
    ['over TLS', '/api', () => secure],
    ['over TLS, deeper', '/api/profile', () => secure],
    ['over plain HTTP', '/api', () => plain],
    ['over plain HTTP, with a slash', '/api/', () => plain],
  ])(
    '[TOK-12] another app’s cookie with the same name does not lock users out: %s at %s',
    async (_how, path, service) => {
      const { base } = service().gate
      const page = await newPage()
      const context = page.context()
      await page.goto(base)
      await signIn(page)
      await signedIn(page)
      // The page still sends requests, and the first one with both cookies clears them.
      await page.goto('about:blank')
      await context.addCookies([{ name: 'gatehouse_token', value: 'another', domain: '127.0.0.1', path }])
      expect((await ours(context)).sort()).toEqual(['/', path])

      await page.goto(base)
      await page.getByLabel('Username').waitFor()
      await expect.poll(() => ours(context)).toEqual([])
      await signIn(page)
      await signedIn(page)
      expect(await ours(context)).toEqual(['/'])
    },
  )

  test('[TOK-6] signing out clears the cache and keeps the site’s other data', async () => {
    const page = await ownPage()
    await page.goto(plain.gate.base)
    await signIn(page)
    await signedIn(page)
    const asset = await page.evaluate<string>(`[...document.scripts].find(({ src }) => src.includes('/assets/')).src`)
    const isCached = () =>
      page.evaluate<boolean>(
        `fetch(${JSON.stringify(asset)}, { cache: 'only-if-cached', mode: 'same-origin' }).then(({ ok }) => ok, () => false)`,
      )
    await page.evaluate(`fetch(${JSON.stringify(asset)}).then((response) => response.text())`)
    expect(await isCached()).toBe(true)
    await page.evaluate(`localStorage.setItem('kept', 'yes')`)

    const out = await page.evaluate<number>(`fetch('api/logout', { method: 'POST' }).then(({ status }) => status)`)
    expect(out).toBe(204)
    await expect.poll(isCached).toBe(false)
    expect(await page.evaluate<string>(`localStorage.getItem('kept')`)).toBe('yes')
  })
})
