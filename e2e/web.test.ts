import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, signedIn } from './tabs.ts'
import { fetched } from './fetched.ts'

const executablePath = program('chromium')
const names = ['side_yard', 'front_door', 'office']
const cameras = {
  side_yard: { source: 'demo:yard', title: 'Side yard' },
  front_door: { source: 'demo:door', title: 'Front door' },
  office: { source: 'demo:office', title: 'Back office' },
}
/** For pages of which no test looks at the video. */
const quiet = Object.fromEntries(Object.entries(cameras).map(([name, camera]) => [name, { ...camera, enabled: false }]))
const roles = { neighbor: ['side_yard'] }
const others = /front.?door|back.?office|office/i

const servers: Server[] = []

async function fillLogin(page: Page, user: string, secret: string): Promise<void> {
  await page.getByLabel('Username').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const accountButton = (page: Page) => page.getByRole('button', { name: /^Account:/ })
const tiles = (page: Page) => page.locator('li [data-camera]')
const playing = (page: Page, camera: string) => page.locator(`[data-camera="${camera}"][data-state="playing"]`)

const timeOf = (page: Page, camera: string): Promise<number> =>
  page
    .locator(`[data-camera="${camera}"] video`)
    .evaluate((video) => (video as unknown as { currentTime: number }).currentTime)

/** Starts the sign-on page that a proxy redirects to. */
async function signOn(): Promise<string> {
  const server = createServer((_, response) => response.end('<title>Sign-on</title>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign-on`
}

const sendTo = (response: ServerResponse, status: number, location: string) =>
  response.writeHead(status, { location }).end()

describe.skipIf(!executablePath)('in the browser', () => {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  afterAll(stopAll)

  describe('at the gate', () => {
    let service: Service
    beforeAll(async () => {
      service = await startService({
        config: { tls: { enabled: false }, cameras: quiet, auth: { roles } },
      })
      await service.user('vera', 'viewer')
      await service.user('nina', 'neighbor')
    })
    afterAll(stopAll)

    test('[BOOT-4] after sign-in with the printed password, a new one is required', async () => {
      const [, printed = ''] = await service.printed(/password:?\s+(\S+)/i)
      const page = await newPage()
      await page.goto(service.gate.base)
      await fillLogin(page, 'admin', printed)
      const heading = page.getByRole('heading', { name: 'Choose a new password' })
      await heading.waitFor()
      await page.goto(`${service.gate.base}/account`)
      await heading.waitFor()
      expect(await accountButton(page).count()).toBe(0)

      await page.getByLabel('Temporary password').fill(printed)
      await page.getByLabel('New password').fill('short')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByText('7 more characters needed.').first().waitFor()
      await page.getByLabel('New password').fill('tram lemon ocean brick')
      await page.getByRole('button', { name: 'Set password' }).click()
      await accountButton(page).waitFor()
      await page.reload()
      await accountButton(page).waitFor()
    })

    test('[ERR-1] a wrong password is reported, and the right one leads to the requested page', async () => {
      const page = await newPage()
      await page.goto(`${service.gate.base}/account`)
      await fillLogin(page, 'vera', 'not the password')
      await page.getByRole('alert').getByText('Incorrect username or password.').waitFor()
      await fillLogin(page, 'vera', password)
      await page.waitForURL(`${service.gate.base}/account`)
      await page.getByRole('heading', { name: 'vera' }).waitFor()
    })

    test('a rejected cookie is distinguished from a wrong password', async () => {
      const page = await newPage()
      await page.goto(`${service.gate.base}/login`)
      await page.route('**/api/login', async (route) => {
        const response = await fetched(route)
        await page.context().clearCookies()
        const { 'set-cookie': _dropped, ...headers } = response.headers()
        await route.fulfill({ response, headers })
      })
      await fillLogin(page, 'vera', password)
      await page.getByText('this browser blocked the sign-in cookie').waitFor()
    })

    test('[ROLE-4] a hidden camera and a missing one show the same page', async () => {
      const page = await signedIn(service, 'nina')
      const words = []
      for (const name of ['office', 'no_such']) {
        await page.goto(`${service.gate.base}/cameras/${name}`)
        await page.getByRole('heading', { name: 'Access denied' }).waitFor()
        words.push(await page.getByRole('main').innerText())
      }
      expect(words[0]).toBe(words[1])
    })

    test('[PORT-5] the account menu shows user and role at the gate, and anonymous and admin on the internal port', async () => {
      const page = await signedIn(service, 'nina')
      await accountButton(page).click()
      expect(await page.getByTestId('account-identity').innerText()).toMatch(/^nina\s+neighbor$/)

      const internalPage = await newPage()
      await internalPage.goto(service.internal.base)
      await accountButton(internalPage).click()
      expect(await internalPage.getByTestId('account-identity').innerText()).toMatch(/^anonymous\s+admin$/)
      expect(await internalPage.getByText('Sign out').count()).toBe(0)
    })

    test('[TOK-6] signing out leads to the login page, and Back does not undo it', async () => {
      const page = await newPage()
      await page.goto(service.gate.base)
      await fillLogin(page, 'vera', password)
      await accountButton(page).waitFor()
      await page.route('**/api/logout', async (route) => {
        // The page notices that its streams have ended before it learns that this is its own sign-out.
        const noticed = page.waitForResponse((other) => other.status() === 401)
        const response = await fetched(route)
        await noticed
        await route.fulfill({ response })
      })
      const visited: string[] = []
      page.on('framenavigated', (frame) => void visited.push(frame.url()))
      await accountButton(page).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(new Set(visited)).toEqual(new Set([`${service.gate.base}/login`]))
      await page.goBack()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(await page.context().cookies()).toEqual([])
    })

    test('[TOK-6] after a sign-out, no page uses a profile that was requested before it', async () => {
      const page = await signedIn(service, 'vera', '/account')
      // The script that requests the profile ahead of the page's own scripts arrives after them.
      await page.route('**/ahead.js', async (route) => {
        await accountButton(page).waitFor()
        await route.continue()
      })
      await page.reload()
      await accountButton(page).click()
      const visited: string[] = []
      page.on('framenavigated', (frame) => void visited.push(frame.url()))
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(visited).toEqual([`${service.gate.base}/login`])
    })

    test('[TOK-7] changing the password on the account page keeps the session', async () => {
      await service.user('paul', 'viewer')
      const page = await signedIn(service, 'paul', '/account')
      await page.getByLabel('Current password').fill('wrong, and long enough')
      await page.getByLabel('New password').fill('tram lemon ocean brick')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Incorrect password.').waitFor()
      await page.getByLabel('Current password').fill(password)
      await page.getByLabel('New password').fill('password1234')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText(/^This is one of the most common/).waitFor()
      await page.getByLabel('New password').fill('tram lemon ocean brick')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Password changed.').waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'paul' }).waitFor()
    })

    test('[TOK-6] a session revoked elsewhere leads to the login page and back', async () => {
      await service.user('sven', 'viewer')
      const page = await signedIn(service, 'sven', '/cameras/side_yard')
      await page.getByRole('heading', { name: 'Side yard' }).waitFor()
      const sessions = (await service.internal.get('/api/sessions?user=sven')).json as { id: string }[]
      await Promise.all(sessions.map(({ id }) => service.internal.delete(`/api/sessions/${id}`)))
      await page.getByText('You’ve been signed out.').waitFor()
      await fillLogin(page, 'sven', password)
      await page.waitForURL(/\/cameras\/side_yard$/)
    })

    test('a session that was signed out elsewhere can be signed out without an error, and only once', async () => {
      const sofia = await service.user('sofia', 'viewer')
      const page = await signedIn(service, 'sofia', '/account')
      const signOut = page.getByRole('button', { name: /^Sign out .+, active/ })
      await signOut.waitFor()
      const sessions = (await sofia.get('/api/sessions')).json as { id: string; current: boolean }[]
      const own = sessions.find(({ current }) => current)
      await service.internal.delete(`/api/sessions/${own?.id}`)
      const held = Promise.withResolvers<void>()
      await page.route('**/api/sessions/*', async (route) => {
        await held.promise
        await route.continue()
      })
      await signOut.click()
      await expect.poll(() => signOut.isDisabled()).toBe(true)
      held.resolve()
      await signOut.waitFor({ state: 'detached' })
      await page.getByText('Session signed out.').waitFor()
      expect(await page.getByText('Your role doesn’t allow this.').count()).toBe(0)
    })

    test('[ERR-2] pages load without sign-in and contain no data', async () => {
      const page = await newPage()
      await page.goto(`${service.gate.base}/cameras/office`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(await page.getByRole('main').innerText()).not.toMatch(others)
    })
  })

  describe('live video', () => {
    let service: Service
    beforeAll(async () => {
      service = await startService({ config: { tls: { enabled: false }, cameras, auth: { roles } } })
      await service.user('vera', 'viewer')
      await service.user('rita', 'viewer')
    })
    afterAll(stopAll)

    test('[TOK-1] three cameras play', async () => {
      const page = await signedIn(service, 'vera')
      for (const name of names) await playing(page, name).waitFor()
      const before = await Promise.all(names.map((name) => timeOf(page, name)))
      for (const [at, name] of names.entries())
        await expect.poll(() => timeOf(page, name)).toBeGreaterThan((before[at] ?? 0) + 1)

      await page.getByRole('link', { name: /^Front door/ }).click()
      await page.waitForURL(/\/cameras\/front_door$/)
      await playing(page, 'front_door').waitFor()
      const alone = await timeOf(page, 'front_door')
      await expect.poll(() => timeOf(page, 'front_door')).toBeGreaterThan(alone + 1)
    })

    test('[ROLE-10] a camera lost while the user watches: the video disappears, and the page says why', async () => {
      const page = await signedIn(service, 'rita')
      await playing(page, 'office').waitFor()
      await service.internal.put('/api/users/rita/role', { role: 'neighbor' })
      await page.getByText(/^You no longer have access to .*Back office/).waitFor()
      await expect.poll(() => tiles(page).count()).toBe(1)
    })
  })

  test('[RATE-2] too many attempts are distinguished from a wrong password, with the wait', async () => {
    const service = await startService({ config: { auth: { failed_login_rate_limit: '1/minute' } } })
    const page = await newPage()
    await page.goto(service.gate.base)
    await fillLogin(page, 'admin', 'not the password')
    await page.getByText('Incorrect username or password.').waitFor()
    await fillLogin(page, 'admin', 'not the password')
    await page.getByText(/Too many failed attempts\. Try again in \d+ seconds\./).waitFor()
  })

  describe('behind a proxy', () => {
    let service: Service
    beforeAll(async () => {
      service = await startService({
        config: {
          tls: { enabled: false },
          auth: { enabled: false, roles: { neighbor: ['yard'] } },
          proxy: {
            header_map: { user: 'x-forwarded-user', role: 'x-forwarded-groups' },
            logout_url: 'https://sso.example/logout',
          },
        },
      })
    })

    /** Starts a proxy that signs in `bob`, unless `refuse` handles the request. */
    async function proxy(
      refuse: (request: IncomingMessage, response: ServerResponse) => boolean,
      role = 'neighbor',
    ): Promise<string> {
      const server = createServer((incoming, outgoing) => {
        if (refuse(incoming, outgoing)) return
        const headers = { ...incoming.headers, 'x-forwarded-user': 'bob', 'x-forwarded-groups': role }
        const { method, url } = incoming
        const onward = request(
          { port: service.gatePort, host: '127.0.0.1', method, path: url, headers },
          (response) => {
            outgoing.writeHead(response.statusCode ?? 502, response.headers)
            response.pipe(outgoing)
          },
        )
        onward.on('error', () => outgoing.destroy())
        incoming.pipe(onward)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      servers.push(server)
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }

    test('[PORT-5] shows the user the proxy names', async () => {
      const page = await newPage()
      await page.goto(await proxy(() => false))
      await accountButton(page).click()
      expect(await page.getByTestId('account-identity').innerText()).toMatch(/^bob\s+neighbor$/)
    })

    test('[PROXY-13] the sign-out link leads to the logout address', async () => {
      const page = await newPage()
      await page.route('https://sso.example/**', (route) => route.fulfill({ body: 'bye' }))
      await page.goto(await proxy(() => false))
      await accountButton(page).click()
      const link = page.getByRole('link', { name: 'Sign out' })
      expect(await link.getAttribute('href')).toBe('https://sso.example/logout')
      await link.click()
      await page.waitForURL('https://sso.example/logout')
    })

    test('[PROXY-13] going back after signing out loads the page again, which the browser could show as it was', async () => {
      const page = await newPage()
      const base = await proxy(() => false)
      // The page stays, as one does that the browser keeps.
      await page.route('https://sso.example/**', (route) => route.fulfill({ status: 204 }))
      await page.goto(base)
      await accountButton(page).click()
      const left = page.waitForRequest('https://sso.example/logout')
      await page.getByRole('link', { name: 'Sign out' }).click()
      await left
      const loaded = page.waitForRequest((request) => request.isNavigationRequest(), { timeout: 10_000 })
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
      expect((await loaded).url()).toBe(`${base}/`)
    })

    test('[PROXY-1] without a user from the proxy, the page says that the proxy signs in', async () => {
      const page = await newPage()
      await page.goto(service.gate.base)
      await fillLogin(page, 'bob', password)
      await page.getByRole('heading', { name: 'Sign in through your proxy' }).waitFor()
    })

    test.each([401, 307])('[PROXY-12] follows a %d that arrives while the page is open', async (status) => {
      const target = await signOn()
      let over = false
      const page = await newPage()
      await page.goto(await proxy((_, outgoing) => over && Boolean(sendTo(outgoing, status, target))))
      await accountButton(page).waitFor()
      over = true
      // A proxy that guards the pages too redirects them; with a 401 it gives the URL.
      await page.waitForURL(target)
    })

    test('[PROXY-12] a part of a page, a form and a dialog show the link that a redirected call leads to', async () => {
      await service.internal.post('/api/users', { username: 'ada', password, role: 'viewer' })
      const target = await signOn()
      const page = await newPage()
      const base = await proxy(({ method, url }, outgoing) => {
        const isRefused = method !== 'GET' || url?.startsWith('/api/sessions') === true
        if (isRefused) sendTo(outgoing, 401, target)
        return isRefused
      }, 'admin')
      await page.goto(`${base}/account`)
      // As after another redirect, which led back.
      await page.evaluate(`sessionStorage.setItem('gatehouse-redirects', JSON.stringify([Date.now()]))`)
      await page.goto(`${base}/settings/users/ada`)
      const links = page.getByRole('alert').getByRole('link', { name: 'Continue to sign in' })
      await links.waitFor()

      await page.getByRole('button', { name: 'Create reset link' }).click()
      await expect.poll(() => links.count()).toBe(2)
      const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(hrefs).toEqual([target, target])

      await page.getByRole('button', { name: 'Delete user' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Delete user' }).click()
      await dialog.getByRole('alert').getByRole('link', { name: 'Continue to sign in' }).click()
      await page.waitForURL(target)
    })
  })

  test('[PATH-1] everything stays below a sub-path', async () => {
    const service = await startService({ config: { tls: { enabled: false }, http: { base_path: '/nvr/' } } })
    await service.user('vera', 'viewer')
    const base = `${service.gate.base}/nvr/`
    const page = await newPage()
    await page.goto(`${base}account`)
    await fillLogin(page, 'vera', password)
    await page.getByRole('heading', { name: 'vera' }).waitFor()
    expect(page.url()).toBe(`${base}account`)
  })
})
