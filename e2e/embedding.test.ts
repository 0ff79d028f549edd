import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium, type FrameLocator, type Page } from 'playwright-core'
import { launchArgs } from './browser.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { onTestFinishedOrLater, stopAll } from '../server/test/support/cleanups.ts'
import { freePort } from '../server/test/support/free-port.ts'
import { nginx, reachable, startNginx } from '../server/test/support/nginx.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { client } from '../server/test/support/test-client.ts'
import { wait } from '../server/test/support/wait.ts'
import { temporaryFolder } from '../server/test/support/temporary-folder.ts'
import { newPage, openAs, ownPage } from './tabs.ts'

const executablePath = program('chromium')
/** The headless shell stores no cookies in frames and installs no apps. */
const full = program('fullChromium')
const cameras = {
  side_yard: { source: 'demo:yard', title: 'Side yard' },
  office: { source: 'demo:office', title: 'Back office' },
}
/** For pages of which no test looks at the video. */
const quiet = Object.fromEntries(Object.entries(cameras).map(([name, camera]) => [name, { ...camera, enabled: false }]))
/** For tests that look at the video of the side yard only. */
const oneLive = { ...cameras, office: quiet['office'] }
const roles = { neighbor: ['side_yard'] }

/** A browser with its own profile and these settings. Unlike a private window, it stores cookies in frames. */
async function ownBrowser(settings: object = {}, ignoreDefaultArgs: string[] = []): Promise<Page> {
  const profile = temporaryFolder()
  mkdirSync(join(profile, 'Default'))
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(settings))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: full ?? '',
    args: launchArgs,
    ignoreDefaultArgs,
    ignoreHTTPSErrors: true,
    locale: 'en-US',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  return page
}

async function fillLogin(page: Page | FrameLocator, user: string, secret = password): Promise<void> {
  await page.getByLabel('Username').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const account = (page: Page | FrameLocator, user = '') => page.getByRole('button', { name: `Account: ${user}` })
const playing = (page: Page | FrameLocator, camera: string) =>
  page.locator(`[data-camera="${camera}"][data-state="playing"]`)
const heading = (page: Page | FrameLocator, name: string) => page.getByRole('heading', { name, level: 1 })

/** Opens a page as a link does, in the app that is open. */
const goTo = (page: Page, address: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)

/** Starts another website. @returns its port */
async function site(respond: RequestListener, host = '127.0.0.1', at = 0): Promise<number> {
  const server = createServer(respond)
  server.listen(at, host)
  await once(server, 'listening')
  onTestFinishedOrLater(() => {
    server.closeAllConnections()
    server.close()
    return Promise.resolve()
  })
  return (server.address() as AddressInfo).port
}

/** The nginx directives that the guide requires. */
const passedOn = `
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_buffering off;`

const endSessions = async (service: Service, user: string): Promise<void> => {
  const sessions = (await service.internal.get(`/api/sessions?user=${user}`)).json as { id: string }[]
  await Promise.all(sessions.map(({ id }) => service.internal.delete(`/api/sessions/${id}`)))
}

const workers = (page: Page) =>
  page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))')

/** Starts a page on its own port that embeds `address` in a frame. */
async function embedding(address: string, at = 0): Promise<string> {
  const page = `<!doctype html><title>Home</title><iframe src="${address}" width="1000" height="700"></iframe>`
  const port = await site((_, response) => response.setHeader('content-type', 'text/html').end(page), 'localhost', at)
  return `http://localhost:${port}/`
}

const letMeIn = (page: Page) => page.getByRole('link', { name: 'Let me in' }).click()

/** Records every text of the admin or of the closed camera that the page contains from now on. */
const watchFor = (page: Page) =>
  page.evaluate(`{
        window.seenOfBefore = []
        const look = () => {
          const seen = /back office|office/i.exec(document.body.innerHTML)
          if (seen) window.seenOfBefore.push(seen[0])
        }
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
      }`)

describe.skipIf(!executablePath || !full || !nginx)('the page at any path and in any frame', () => {
  afterAll(stopAll)

  describe('below a path, behind nginx', () => {
    let service: Service
    afterAll(stopAll)
    let base: string
    let port: number
    beforeAll(async () => {
      service = await startService({
        config: {
          cameras: oneLive,
          tls: { enabled: false },
          auth: { roles, trusted_proxies: ['127.0.0.1'], failed_login_rate_limit: null },
          http: { base_path: '/cams' },
        },
      })
      await service.user('ada', 'admin')
      await service.user('vera', 'viewer')
    })

    /** Serves the service below `path`. `strip`: the proxy removes the path and passes it in a header. */
    async function front(path: string, strip: boolean): Promise<void> {
      port = await freePort()
      const prefix = strip ? `proxy_set_header X-Forwarded-Prefix ${path};` : ''
      await startNginx(`server {
        listen 127.0.0.1:${port};
        location ${path} { proxy_pass http://127.0.0.1:${service.gatePort}${strip ? '/' : ''}; ${passedOn} ${prefix} }
        location / { return 418; }
      }`)
      base = `http://127.0.0.1:${port}${path}`
      await reachable(client(port, 'http', {}))
    }

    test.each([
      ['/cams/', false, 40],
      // The pages are the same: only the path in the document is another.
      ['/nvr/', true, 12],
    ])(
      '[PATH-1] below %s every page loads, survives a reload, and requests nothing outside',
      async (path, strip, max) => {
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

        await page.goto(`${base}settings/audit?user=ada`)
        await fillLogin(page, 'ada')
        await account(page, 'ada').waitFor()
        expect(page.url()).toBe(`${base}settings/audit?user=ada`)
        expect((await page.context().cookies()).map((cookie) => cookie.path)).toEqual([path.slice(0, -1)])

        // Every page reachable by links. All addresses load the same document, which opens the page without a load.
        const outside = client(port, 'http', {})
        const { text: document } = await outside.get(path)
        const found = new Set([base, `${base}account`, `${base}settings`])
        for (const address of found) {
          expect((await outside.get(new URL(address).pathname)).text, address).toBe(document)
          await goTo(page, `${base}nowhere`)
          await heading(page, 'Page not found').waitFor()
          await goTo(page, address)
          await heading(page, 'Page not found').waitFor({ state: 'detached' })
          await account(page, 'ada').waitFor()
          await heading(page, '').first().waitFor()
          const links = await page
            .locator('a[href]')
            .evaluateAll((all) => all.map((each) => (each as unknown as URL).href))
          for (const link of links) {
            if (new URL(link).origin !== new URL(base).origin || link.includes('/api/')) continue
            expect(link).toMatch(new RegExp(`^${base}`))
            if (found.size < max) found.add(link.replace(/[#?].*$/, ''))
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

    test('[PATH-1] redirects stay below the path, and the path without its slash redirects there', async () => {
      await front('/cams/', false)
      const outside = client(port, 'http', { 'sec-fetch-site': 'same-origin' })
      expect((await outside.get('/cams/api/logout')).headers.location).toBe('/cams/login')
      expect((await outside.get('/cams/api/login')).headers.location).toBe('/cams/login')
      const page = await newPage()
      await page.goto(`http://127.0.0.1:${port}/cams`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      // Nor does a return link leave the path.
      await page.goto(`${base}login?return=${encodeURIComponent('/')}`)
      await fillLogin(page, 'vera')
      await account(page, 'vera').waitFor()
      expect(page.url()).toBe(base)
    })

    test.each([
      ['/', '/'],
      ['/cams/', '/cams/'],
    ])('below %s the page can be installed as its own app', async (path, id) => {
      let at = service.internal.base
      if (path !== '/') {
        await front(path, false)
        at = `http://127.0.0.1:${port}`
      } else {
        const plain = await startService({ config: { tls: { enabled: false } } })
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
      // The test's browser is private and stores nothing.
      expect(installabilityErrors.map(({ errorId }) => errorId).filter((each) => each !== 'in-incognito')).toEqual([])

      const files = client(Number(new URL(at).port), 'http', {})
      const response = await files.get(`${path}manifest.webmanifest`)
      expect(response.headers['content-type']).toMatch(/^application\/manifest\+json/)
      const { icons, ...rest } = response.json as {
        icons: { src: string; sizes: string; type: string; purpose: string }[]
      }
      expect(rest).toMatchObject({
        id,
        name: 'Gatehouse',
        short_name: 'Gatehouse',
        start_url: './',
        scope: './',
      })
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
        // A PNG's first chunk contains its width and height.
        if (type === 'image/png') expect(`${icon.body.readUInt32BE(16)}x${icon.body.readUInt32BE(20)}`).toBe(sizes)
      }
    })

    test('the API reference is a static page that fetches nothing', async () => {
      await front('/cams/', false)
      const outside = client(port, 'http', {})
      expect((await outside.get('/cams/api/docs')).status).toBe(401)
      const page = await newPage()
      await page.goto(`${base}account`)
      await fillLogin(page, 'vera')
      await account(page, 'vera').waitFor()
      const requested: string[] = []
      const text: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      page.on('console', (message) => text.push(message.text()))
      const response = await page.goto(`${base}api/docs`)
      expect(response?.headers()).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("script-src 'self'") as string,
      })
      expect(text).toEqual([])
      expect(requested.filter((path) => path !== '/cams/favicon.svg')).toEqual(['/cams/api/docs'])
      const reported = await page.locator('summary').allInnerTexts()
      for (const { method, path } of accessRows) {
        const shown = path.replaceAll(/:(\w+)/g, '{$1}')
        expect(
          reported.some((each) => (each.includes(method) || each.includes('WebSocket') ? each.includes(shown) : false)),
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

  test('the browser’s bar has the color of the chosen scheme', async () => {
    const service = await startService({ config: { cameras: quiet, tls: { enabled: false } } })
    const page = await ownPage({ colorScheme: 'light' })
    await page.goto(service.internal.base)
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

  test('[TOK-6] a page that the browser has kept shows nothing of a user who has signed out since', async () => {
    const service = await startService({ config: { cameras: quiet, tls: { enabled: false } } })
    await service.user('vera', 'viewer')
    const elsewhere = await site((_, response) => response.end('elsewhere'))
    // Playwright's browsers keep no pages.
    const page = await ownBrowser({}, ['--disable-back-forward-cache'])
    await page.addInitScript(`addEventListener('pageshow', ({ persisted }) => persisted || console.log('loaded'))`)
    await page.goto(`${service.gate.base}/account`)
    await fillLogin(page, 'vera')
    await heading(page, 'vera').waitFor()
    // Once the page has hidden itself: the browser can show it before anything else happens.
    await page.evaluate(`addEventListener('pageshow', ({ persisted }) =>
      persisted && console.log(document.body.checkVisibility() ? 'shown' : 'hidden'))`)
    const leaveAndReturn = async (meanwhile: () => Promise<unknown>) => {
      await page.goto(`http://127.0.0.1:${elsewhere}/`)
      await meanwhile()
      const back = page.waitForEvent('console', {
        predicate: (message) => /^(shown|hidden|loaded)$/.test(message.text()),
      })
      // Playwright's own way waits for a page that is loaded.
      await page.evaluate('void history.back()')
      // Whether it's kept depends on the browser's version.
      expect(['hidden', 'loaded']).toContain((await back).text())
    }
    await leaveAndReturn(() => Promise.resolve())
    await heading(page, 'vera').waitFor()
    await leaveAndReturn(() => endSessions(service, 'vera'))
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  describe('while the service is unreachable', () => {
    test('the installed app says so, recovers automatically, and has cached nothing else; a tab has no service worker', async () => {
      const service = await startService({
        config: { cameras: oneLive, tls: { enabled: false }, http: { base_path: '/cams/' } },
      })
      await service.user('vera', 'viewer')
      const base = `${service.gate.base}/cams/`
      const page = await ownBrowser()
      // A tab has no service worker.
      await page.goto(base)
      await fillLogin(page, 'vera')
      await playing(page, 'side_yard').waitFor()
      expect(await workers(page)).toEqual([])
      // A standalone window, as of an installed app.
      await page.addInitScript(`{
        const asked = window.matchMedia.bind(window)
        window.matchMedia = (query) => (query === '(display-mode: browser)' ? asked('not all') : asked(query))
      }`)
      await page.goto(base)
      await playing(page, 'side_yard').waitFor()
      await page.evaluate('navigator.serviceWorker.ready')
      expect(await workers(page)).toEqual([base])
      await page.goto(`${base}cameras/side_yard`)
      await playing(page, 'side_yard').waitFor()

      await service.stop()
      await page.goto(`${base}account`)
      await heading(page, 'Can’t reach Gatehouse').waitFor()
      expect(page.url()).toBe(`${base}account`)
      const kept = await page.evaluate(
        "caches.open('gatehouse-offline').then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))",
      )
      expect(kept).toEqual([`${base}offline`])
      expect(await page.evaluate('caches.keys()')).toEqual(['gatehouse-offline'])
      // API calls fail, as they should.
      await expect(page.evaluate("fetch('api/profile')")).rejects.toThrow()
      const other = await page.context().newPage()
      await expect(other.goto(`${base}api/docs`)).rejects.toThrow()
      await service.restart()
      await heading(page, 'vera').waitFor()
      expect(page.url()).toBe(`${base}account`)
    })
  })

  describe('inside a frame of another site', () => {
    let service: Service
    afterAll(stopAll)
    let host: number
    beforeAll(async () => {
      host = await freePort()
      service = await startService({
        config: {
          cameras: oneLive,
          auth: { roles, cookie_same_site: 'none' },
          http: { frame_ancestors: ["'self'", `http://localhost:${host}`] },
        },
      })
      await service.user('vera', 'viewer')
    })

    test('[TOK-11] users can sign in and watch there if the configuration allows it', async () => {
      const page = await newPage()
      await page.goto(await embedding(`${service.gate.base}/cameras/side_yard`, host))
      const frame = page.frameLocator('iframe')
      await fillLogin(frame, 'vera')
      await playing(frame, 'side_yard').waitFor()
      const [cookie] = await page.context().cookies()
      expect(cookie).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true, partitionKey: 'http://localhost' })
      await page.reload()
      await playing(frame, 'side_yard').waitFor()
      await account(frame, 'vera').click()
      await frame.getByRole('button', { name: 'Sign out' }).click()
      await frame.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(await page.context().cookies()).toEqual([])
    })

    test('other sites’ frames show nothing', async () => {
      const page = await newPage()
      const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
      await page.goto(await embedding(`${service.gate.base}/`))
      await refused
      const inner = page.frames().find((frame) => frame.parentFrame())
      expect(inner?.url()).not.toContain(service.gate.base)
      expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0)
    })
  })

  test('the page works without browser storage', async () => {
    const service = await startService({ config: { cameras: oneLive, tls: { enabled: false } } })
    const page = await ownBrowser({ profile: { default_content_setting_values: { cookies: 2 } } })
    await page.goto(service.internal.base)
    await playing(page, 'side_yard').waitFor()
    expect(await page.evaluate("try { localStorage.length; 'open' } catch { 'closed' }")).toBe('closed')
    await account(page).click()
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    await page.goto(`${service.internal.base}/settings/users`)
    await heading(page, 'Users').waitFor()
  })

  describe('behind a proxy with a sign-on page', () => {
    let service: Service
    afterAll(stopAll)
    beforeAll(async () => {
      service = await startService({
        config: {
          cameras: quiet,
          tls: { enabled: false },
          auth: { enabled: false, roles, trusted_proxies: ['127.0.0.1'] },
          proxy: { header_map: { user: 'remote-user', role: 'remote-groups' }, logout_url: '/sso/logout' },
        },
      })
    })

    interface SignOn {
      readonly base: string
    }

    /**
     * Starts a sign-on site and an nginx that asks it about each request. As usual, its page has a button that leads
     * back to `rd`.
     *
     * @param guards `all`: pages and API, `api`: the API only
     * @param status status of an API request without a sign-on
     */
    async function signOn(guards: 'all' | 'api', status: number, where = ''): Promise<SignOn> {
      let port = 0
      const sso = await site((request, response) => {
        const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`)
        const back = url.searchParams.get('rd') ?? '/'
        switch (url.pathname) {
          case '/check':
            response.writeHead(request.headers.cookie?.includes('ticket=given') ? 204 : 401).end()
            break
          case '/sso/login':
            response.setHeader('content-type', 'text/html')
            response.end(`<title>Sign-on</title><a href="/sso/in?rd=${encodeURIComponent(back)}">Let me in</a>`)
            break
          case '/sso/in':
            response.writeHead(302, { location: back, 'set-cookie': 'ticket=given; Path=/' }).end()
            break
          default:
            response.end('<title>Signed off</title>')
        }
      })
      port = await freePort()
      const login = where || `http://127.0.0.1:${port}/sso/login?rd=$scheme://$http_host$request_uri`
      const upstream = `proxy_pass http://127.0.0.1:${service.gatePort}; ${passedOn}
        proxy_set_header Remote-User bob; proxy_set_header Remote-Groups admin;`
      const redirected = `auth_request /check; error_page 401 =302 ${login};`
      const guarded =
        status === 401
          ? 'auth_request /check; error_page 401 @told;'
          : `auth_request /check; error_page 401 =${status} ${login};`
      await startNginx(`server {
        listen 127.0.0.1:${port};
        location = /check { internal; proxy_pass http://127.0.0.1:${sso}/check; proxy_pass_request_body off; proxy_set_header Content-Length ""; }
        location /sso/ { proxy_pass http://127.0.0.1:${sso}; }
        location @told { add_header Location "${login}" always; return 401; }
        location /api/ { ${guarded} ${upstream} }
        location / { ${guards === 'all' ? redirected : ''} ${upstream} }
      }`)
      await reachable(client(port, 'http', {}))
      return { base: `http://127.0.0.1:${port}/` }
    }

    test.each([
      ['all', 302],
      ['all', 307],
      ['all', 401],
      ['api', 302],
      ['api', 307],
      ['api', 401],
    ] as const)('[PROXY-12] guarding %s with a %d, it sends the user to its page and back', async (guards, status) => {
      const { base } = await signOn(guards, status)
      const page = await newPage()
      await page.goto(`${base}settings/audit?user=ada#top`)
      await letMeIn(page)
      await heading(page, 'Audit log').waitFor()
      expect(page.url()).toMatch(/\/settings\/audit\?user=ada/)
      // A request on its way would notice the end of the sign-on before the redirect history has expired.
      await page.waitForLoadState('networkidle')

      // The sign-on ends, and the redirect history has expired by then, as it would after a whole session. Done in one
      // evaluation, because the page may notice the end of the sign-on at any moment.
      await page.evaluate(`
          document.cookie = 'ticket=; Path=/; Max-Age=0'
          sessionStorage.removeItem('gatehouse-redirects')
          document.querySelector('a[href$="/settings/roles"]').click()`)
      await letMeIn(page)
      await heading(page, 'Roles').waitFor()
      expect(new URL(page.url()).pathname).toBe('/settings/roles')
    })

    test.each([
      ['all', 302],
      ['api', 307],
      ['api', 401],
    ] as const)(
      '[PROXY-12] guarding %s with a %d straight back, it is tried only a few times',
      async (guards, status) => {
        const { base } = await signOn('api', status, guards === 'all' ? '/' : '/account')
        const page = await newPage()
        let loads = 0
        page.on('request', (request) => (loads += request.isNavigationRequest() ? 1 : 0))
        await page.goto(base)
        await page.getByRole('link', { name: 'Continue to sign in' }).waitFor()
        const before = loads
        await wait(3000, 'a page that loads again would have by then')
        expect(loads).toBe(before)
        expect(loads).toBeLessThan(7)
      },
    )

    // The unit tests of redirect.ts have more.
    test.each(['javascript:document.title=1', '\\tjavascript:alert(1)'])(
      '[PROXY-12] a Location of %s is not followed',
      async (address) => {
        const { base } = await signOn('api', 401, address)
        const page = await newPage()
        await page.goto(base)
        await page.getByRole('button', { name: 'Sign in' }).waitFor()
        expect(page.url()).toMatch(new RegExp(`^${base}login`))
        expect(await page.title()).toBe('Sign in · Gatehouse')
      },
    )

    describe('with a return link', () => {
      let base: string
      beforeAll(async () => {
        ;({ base } = await signOn('api', 302))
      })

      // The unit tests of return-path.ts have more.
      test.each(['//evil.example/', '/%09/evil.example', 'javascript:alert(1)', 'http://127.0.0.1@evil.example/'])(
        '[PROXY-12] a return link to %s after sign-on stays on this site',
        async (target) => {
          const page = await newPage()
          await page.goto(`${base}login?return=${encodeURIComponent(target)}`)
          await letMeIn(page)
          await account(page, 'bob').waitFor()
          expect(page.url().startsWith(base), page.url()).toBe(true)
          // The page leads away by itself, maybe before it has loaded.
          await page.goto(`${base}login?return=${target}`, { waitUntil: 'commit' })
          await account(page, 'bob').waitFor()
          expect(page.url().startsWith(base), page.url()).toBe(true)
        },
      )
    })

    test('[PROXY-13] signing out leads to the proxy’s logout URL', async () => {
      const { base } = await signOn('all', 302)
      const page = await newPage()
      await page.goto(`${base}account`)
      await letMeIn(page)
      await account(page, 'bob').click()
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.waitForURL(`${base}sso/logout`)
      expect(await page.title()).toBe('Signed off')
    })
  })

  describe('when a session ends while its page is open', () => {
    let service: Service
    afterAll(stopAll)
    let base: string
    /** Its clock is the test's. */
    let page: Page
    beforeAll(async () => {
      page = await ownPage()
      await page.clock.install()
      service = await startService({
        config: { cameras: quiet, tls: { enabled: false }, auth: { roles, failed_login_rate_limit: null } },
      })
      base = `${service.gate.base}/`
      await service.user('ada', 'admin')
      await service.user('nina', 'neighbor')
    })

    /** Opens a page as ada, who is signed in. */
    /** Opens a page as ada, who is signed in. */
    const openAt = (path: string): Promise<void> => openAs(page, service, 'ada', `/${path}`)

    test.each([
      ['', () => endSessions(service, 'ada')],
      ['cameras/office', () => endSessions(service, 'ada')],
      ['account', () => endSessions(service, 'ada')],
      ['settings/users', () => service.internal.put('/api/users/ada/password', { password })],
      ['settings/roles/neighbor', () => endSessions(service, 'ada')],
      ['settings/cameras', () => endSessions(service, 'ada')],
      ['settings/config', () => endSessions(service, 'ada')],
      ['settings/audit?user=ada', () => endSessions(service, 'ada')],
      ['settings/log', () => endSessions(service, 'ada')],
      ['settings/system', () => endSessions(service, 'ada')],
    ])('[TOK-6] at /%s the user is sent to the login page and back', async (path, finish) => {
      await openAt(path)
      await finish()
      await page.clock.fastForward(61_000)
      await page.getByText('You’ve been signed out.').waitFor()
      expect(await page.getByRole('main').innerText()).not.toMatch(/office|ada/i)
      await fillLogin(page, 'ada')
      await account(page, 'ada').waitFor()
      expect(page.url()).toBe(`${base}${path}`)
    })

    test('[ROLE-2] a user who signs in after an admin is denied the page and sees none of the admin’s data', async () => {
      await openAt('settings/cameras')
      await page.getByText('Back office').first().waitFor()
      await endSessions(service, 'ada')
      await page.clock.fastForward(61_000)
      await page.getByText('You’ve been signed out.').waitFor()
      await watchFor(page)
      await fillLogin(page, 'nina')
      await page.getByRole('heading', { name: 'Access denied' }).waitFor()
      expect(page.url()).toBe(`${base}settings/cameras`)
      await page.getByRole('link', { name: 'Go to live view' }).click()
      await page.locator('[data-camera="side_yard"]').first().waitFor()
      expect(await page.evaluate('window.seenOfBefore')).toEqual([])
    })

    test('[ROLE-5] after another user signs in in another tab, this tab shows only that user’s data', async () => {
      await openAt('settings/roles')
      const other = await page.context().newPage()
      await other.goto(base)
      await account(other, 'ada').click()
      // The session continues: only the cookie is another user's.
      await other.evaluate(
        `fetch('api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(
          JSON.stringify({ user: 'nina', password }),
        )} })`,
      )
      await page.getByText('neighbor').first().waitFor()
      await page.clock.fastForward(61_000)
      await account(page, 'nina').waitFor()
      await page.getByRole('heading', { name: 'Access denied' }).waitFor()
      await watchFor(page)
      await page.getByRole('link', { name: 'Go to live view' }).click()
      await page.locator('[data-camera="side_yard"]').first().waitFor()
      expect(await page.evaluate('window.seenOfBefore')).toEqual([])
    })
  })
})
