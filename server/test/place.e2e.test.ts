import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Browser, type BrowserContext, type FrameLocator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from './access-oracle.ts'
import { door, freePort, password, startGatehouse, stopAll, type Gatehouse } from './harness.ts'
import { nginx, reachable, startNginx } from './nginx.ts'
import { chromiumArgs, program } from './programs.ts'

const executablePath = program('chromium')
const cameras = {
  side_yard: { source: 'demo:yard', title: 'Side yard' },
  office: { source: 'demo:office', title: 'Back office' },
}
const roles = { neighbour: ['side_yard'] }

let browser: Browser
const contexts: BrowserContext[] = []
const servers: Server[] = []

async function newPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US', ...options })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

async function fillLogin(page: Page | FrameLocator, user: string, secret = password): Promise<void> {
  await page.getByLabel('User name').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const account = (page: Page | FrameLocator, user = '') => page.getByRole('button', { name: `Account: ${user}` })
const playing = (page: Page | FrameLocator, camera: string) =>
  page.locator(`[data-camera="${camera}"][data-state="playing"]`)
const heading = (page: Page | FrameLocator, name: string) => page.getByRole('heading', { name, level: 1 })

async function signedIn(base: string, user: string, path = ''): Promise<Page> {
  const page = await newPage()
  await page.goto(`${base}${path}`)
  await fillLogin(page, user)
  await account(page, user).waitFor()
  return page
}

/** A web site that is not ours. */
async function site(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return (server.address() as AddressInfo).port
}

/** What the guide says an nginx has to pass on. */
const passedOn = `
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_buffering off;`

const endSessions = async (house: Gatehouse, user: string): Promise<void> => {
  const sessions = (await house.inside.get(`/api/sessions?user=${user}`)).json as { id: string }[]
  await Promise.all(sessions.map(({ id }) => house.inside.delete(`/api/sessions/${id}`)))
}

describe.skipIf(!executablePath || !nginx)('the page, wherever it lives', () => {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: [...chromiumArgs, '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  afterAll(async () => {
    await browser.close()
    await stopAll()
  })

  describe('below a path, behind nginx', () => {
    let house: Gatehouse
    let base: string
    let port: number
    beforeAll(async () => {
      house = await startGatehouse({
        config: {
          cameras,
          tls: { enabled: false },
          auth: { roles, trusted_proxies: ['127.0.0.1'], failed_login_rate_limit: null },
          http: { base_path: '/cams' },
        },
      })
      await house.user('ada', 'admin')
      await house.user('vera', 'viewer')
    })

    /** Shows it below `path`; `strip`: the proxy takes the path off, and says so in a header. */
    async function front(path: string, strip: boolean): Promise<void> {
      port = await freePort()
      const prefix = strip ? `proxy_set_header X-Forwarded-Prefix ${path};` : ''
      await startNginx(`server {
        listen 127.0.0.1:${port};
        location ${path} { proxy_pass http://127.0.0.1:${house.gatePort}${strip ? '/' : ''}; ${passedOn} ${prefix} }
        location / { return 418; }
      }`)
      base = `http://127.0.0.1:${port}${path}`
      await reachable(door(port, 'http', {}))
    }

    test.each([
      ['/cams/', false],
      ['/nvr/', true],
    ])(
      '[PATH-1] below %s every page is there, comes back after a reload, and asks for nothing else',
      async (path, strip) => {
        await front(path, strip)
        const page = await newPage()
        const strays: string[] = []
        const broken: string[] = []
        page.on('request', (request) => {
          const url = new URL(request.url())
          if (url.protocol.startsWith('http') && !url.pathname.startsWith(path)) strays.push(request.url())
        })
        page.on('websocket', (socket) => {
          if (!new URL(socket.url()).pathname.startsWith(path)) strays.push(socket.url())
        })
        page.on('pageerror', (error) => broken.push(String(error)))

        await page.goto(`${base}settings/users?x=1`)
        await fillLogin(page, 'ada')
        await account(page, 'ada').waitFor()
        expect(page.url()).toBe(`${base}settings/users?x=1`)
        expect((await page.context().cookies()).map((cookie) => cookie.path)).toEqual([path.slice(0, -1)])

        // Whatever can be reached by links.
        const found = new Set([base, `${base}account`, `${base}settings`])
        for (const address of found) {
          await page.goto(address)
          await account(page, 'ada').waitFor()
          await heading(page, '').first().waitFor()
          expect(await page.getByRole('heading', { name: 'Nothing here' }).count(), address).toBe(0)
          const links = await page
            .locator('a[href]')
            .evaluateAll((all) => all.map((each) => (each as unknown as URL).href))
          for (const link of links) {
            if (new URL(link).origin !== new URL(base).origin || link.includes('/api/')) continue
            expect(link).toMatch(new RegExp(`^${base}`))
            if (found.size < 40) found.add(link.replace(/[#?].*$/, ''))
          }
        }
        expect(found.size).toBeGreaterThan(11)

        await page.goto(`${base}cameras/side_yard`)
        await playing(page, 'side_yard').waitFor()
        await page.reload()
        await playing(page, 'side_yard').waitFor()

        await account(page, 'ada').click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('button', { name: 'Sign in' }).waitFor()
        expect(page.url()).toBe(`${base}login`)
        expect(await page.context().cookies()).toEqual([])
        expect(strays).toEqual([])
        expect(broken).toEqual([])
      },
    )

    test('[PATH-1] redirects stay below it, and the path without its slash leads there', async () => {
      await front('/cams/', false)
      const outside = door(port, 'http', { 'sec-fetch-site': 'same-origin' })
      expect((await outside.get('/cams/api/logout')).headers.location).toBe('/cams/login')
      expect((await outside.get('/cams/api/login')).headers.location).toBe('/cams/login')
      const page = await newPage()
      await page.goto(`http://127.0.0.1:${port}/cams`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      // Nor can a link lead out of it.
      await page.goto(`${base}login?return=${encodeURIComponent('/')}`)
      await fillLogin(page, 'vera')
      await account(page, 'vera').waitFor()
      expect(page.url()).toBe(base)
    })

    test.each([
      ['/', '/'],
      ['/cams/', '/cams/'],
    ])('below %s it can be installed, as an app of its own', async (path, id) => {
      let at = house.inside.base
      if (path !== '/') {
        await front(path, false)
        at = `http://127.0.0.1:${port}`
      } else {
        const plain = await startGatehouse({ config: { tls: { enabled: false } } })
        at = plain.gate.base
      }
      const page = await newPage()
      await page.goto(`${at}${path}`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      const devTools = await page.context().newCDPSession(page)
      const { url, errors, manifest } = (await devTools.send('Page.getAppManifest')) as unknown as {
        url: string
        errors: object[]
        manifest: Record<string, string>
      }
      expect(errors).toEqual([])
      expect(url).toBe(`${at}${path}manifest.webmanifest`)
      expect(manifest).toMatchObject({ id: `${at}${id}`, startUrl: `${at}${path}`, scope: `${at}${path}` })
      const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors')
      // The test's own browser forgets all it knows, as a private window does.
      expect(installabilityErrors.map(({ errorId }) => errorId).filter((each) => each !== 'in-incognito')).toEqual([])

      const files = door(Number(new URL(at).port), 'http', {})
      const answer = await files.get(`${path}manifest.webmanifest`)
      expect(answer.headers['content-type']).toMatch(/^application\/manifest\+json/)
      const { icons, ...rest } = answer.json as {
        icons: { src: string; sizes: string; type: string; purpose: string }[]
      }
      expect(rest).toMatchObject({ id, name: 'Gatehouse', short_name: 'Gatehouse', start_url: './', scope: './' })
      expect(rest).toMatchObject({ display: 'standalone', description: expect.any(String) as string })
      expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
        '192x192 any',
        '512x512 any',
        '512x512 maskable',
        'any any',
      ])
      const touch = { src: 'icons/apple-touch-icon.png', sizes: '180x180', type: 'image/png' }
      for (const { src, sizes, type } of [...icons, touch]) {
        const icon = await files.get(`${path}${src}`)
        expect(icon.headers).toMatchObject({ 'content-type': type, 'x-content-type-options': 'nosniff' })
        expect(icon.headers['cache-control']).toBe('no-cache')
        expect(icon.headers['etag']).toBeDefined()
        // Width and height stand in a PNG's first chunk.
        if (type === 'image/png') expect(`${icon.body.readUInt32BE(16)}x${icon.body.readUInt32BE(20)}`).toBe(sizes)
      }
    })

    test('the API reference is a page to read, and fetches nothing', async () => {
      await front('/cams/', false)
      const outside = door(port, 'http', {})
      expect((await outside.get('/cams/api/docs')).status).toBe(401)
      const page = await signedIn(base, 'vera', 'account')
      const asked: string[] = []
      const said: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      page.on('console', (message) => said.push(message.text()))
      const answer = await page.goto(`${base}api/docs`)
      expect(answer?.headers()).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("script-src 'self'") as string,
      })
      expect(said).toEqual([])
      expect(asked.filter((path) => path !== '/cams/favicon.svg')).toEqual(['/cams/api/docs'])
      const told = await page.locator('summary').allInnerTexts()
      for (const { method, path } of accessRows) {
        const shown = path.replaceAll(/:(\w+)/g, '{$1}')
        expect(
          told.some((each) => (each.includes(method) || each.includes('WebSocket') ? each.includes(shown) : false)),
          path,
        ).toBe(true)
      }
      await page.getByRole('link', { name: 'openapi.json' }).click()
      await page.waitForURL(`${base}api/openapi.json`)
      await page.goBack()
      await page.getByRole('link', { name: 'Gatehouse', exact: true }).click()
      await account(page, 'vera').waitFor()
      expect(page.url()).toBe(base)
    })
  })

  test('the bar of the browser takes the colour of the chosen scheme', async () => {
    const house = await startGatehouse({ config: { cameras, tls: { enabled: false } } })
    const page = await newPage({ colorScheme: 'light' })
    await page.goto(house.inside.base)
    await account(page).waitFor()
    const bar = () =>
      page.locator('meta[name="theme-color"]').evaluateAll((all) => all.map((each) => each.getAttribute('content')))
    expect(await bar()).toEqual(['#f6f8f7', '#f6f8f7'])
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(bar).toEqual(['#101716', '#101716'])
    await account(page).click()
    await page.getByRole('button', { name: 'Light' }).click()
    await expect.poll(bar).toEqual(['#f6f8f7', '#f6f8f7'])
    await page.reload()
    await account(page).waitFor()
    expect(await bar()).toEqual(['#f6f8f7', '#f6f8f7'])
  })
})
