import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { onTestFinishedOrLater, stopAll } from '../server/test/support/cleanups.ts'
import { freePort } from '../server/test/support/free-port.ts'
import { filledIn, guideBlock } from '../server/test/support/fronts.ts'
import { startFront } from '../server/test/support/guide-fronts.ts'
import { startOpenIdProvider, type OpenIdProvider } from '../server/test/support/openid-provider.ts'
import { hasApacheModule, program } from '../server/test/support/programs.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { startService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { newPage } from './tabs.ts'

const executablePath = program('chromium')
const isInstalled = [executablePath, program('apache'), hasApacheModule('auth_openidc')].every(Boolean)

const secret = 'the secret that only the proxy knows, and no client'

/** The guide's block, put where the guide says. Only the interval is shorter: the test waits for it. */
const withOpenId = (front: string, { issuer, clientSecret }: OpenIdProvider, base: string): string =>
  filledIn(front, {
    '</VirtualHost>': `${filledIn(guideBlock('apache', 'AuthType openid-connect'), {
      'https://sso.example': issuer,
      'https://cam.example': base,
      'the client secret': clientSecret,
      'the passphrase': 'a passphrase of the test',
      'the proxy secret': secret,
      'OIDCUserInfoRefreshInterval 300': 'OIDCUserInfoRefreshInterval 1',
    })}</VirtualHost>`,
  })

/** What a client may send to be another user, or to have another role. */
const forged: readonly (readonly string[])[] = [
  ['Remote-User: ann', 'Remote-Groups: sysadmins'],
  ['Remote_User: ann', 'Remote_Groups: sysadmins', `X_Proxy_Secret: ${secret}`],
  ['OIDC_CLAIM_preferred_username: ann', 'OIDC_CLAIM_groups: sysadmins'],
  ['OIDC-CLAIM-preferred-username: ann', 'OIDC-CLAIM-groups: sysadmins'],
  ['REMOTE_USER: ann', 'Authorization: Bearer ann', 'OIDC_access_token: ann'],
  ['Connection: remote-user, remote-groups, x-proxy-secret', 'Remote-Groups: sysadmins'],
  ['Connection: oidc_claim_groups, cookie'],
]

const loginField = (page: Page) => page.getByPlaceholder('Enter any login')

const account = (page: Page, user: string) => page.getByRole('button', { name: `Account: ${user}` })

const roleOf = async (at: TestClient): Promise<unknown> => {
  const { status, json } = await at.get('/api/profile')
  return status === 200 ? (json as { role: string }).role : status
}

describe.skipIf(!isInstalled)('Apache with mod_auth_openidc, configured as in the guide', () => {
  let provider: OpenIdProvider
  let site: TestClient

  beforeAll(async () => {
    // The provider warns that its pages and keys are for development.
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.spyOn(console, 'info').mockReturnValue()
    const port = await freePort()
    const base = `https://127.0.0.1:${port}`
    provider = await startOpenIdProvider({
      client: () => ({ redirect_uris: [`${base}/oidc`], post_logout_redirect_uris: [`${base}/`] }),
    })
    onTestFinishedOrLater(async () => provider.stop())
    const { auth, proxy } = parse(
      filledIn(guideBlock('yaml', 'logout_url', 'proxy-apache'), {
        '{SERVICE_PROXY_SECRET}': secret,
        'https://cam.example': base,
        'https%3A%2F%2Fcam.example': encodeURIComponent(base),
      }),
    ) as Record<string, object>
    const cameras = { yard: { source: 'demo:yard', title: 'Side yard' }, office: { source: 'demo:office' } }
    const service = await startService({
      config: {
        cameras: Object.fromEntries(
          Object.entries(cameras).map(([name, camera]) => [name, { ...camera, enabled: false }]),
        ),
        auth: { ...auth, roles: { neighbor: ['yard'] }, trusted_proxies: ['127.0.0.1'] },
        proxy: proxy!,
      },
    })
    site = await startFront('apache', service, { port, edit: (front) => withOpenId(front, provider, base) })
  })
  afterAll(stopAll)

  /** Opens a page in its own browser. */
  async function openPage(path: string): Promise<Page> {
    const page = await newPage()
    // The provider's pages load fonts from a public site.
    await page.route(/googleapis/, (route) => route.abort())
    await page.goto(`${site.base}${path}`)
    return page
  }

  async function signInAtProvider(page: Page, login: string): Promise<void> {
    expect(page.url()).toContain(provider.issuer)
    await loginField(page).fill(login)
    await page.getByPlaceholder('and password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  /** A client with the browser's session of Apache. */
  async function clientOf(page: Page): Promise<TestClient> {
    const cookies = await page.context().cookies(site.base)
    return site.with({ cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') })
  }

  test('[PROXY-4] [PROXY-12] [PROXY-13] [ROLE-6] a user signs in at the provider, sees the cameras of their groups, and signs out of both', async () => {
    provider.users.set('ben@example.org', { preferred_username: 'ben', groups: ['dev', 'side-street'] })
    const page = await openPage('/exports')
    await signInAtProvider(page, 'ben@example.org')
    await account(page, 'ben').waitFor()
    expect(new URL(page.url()).pathname).toBe('/exports')
    await page.goto(`${site.base}/`)
    await page.locator('[data-camera="yard"]').waitFor()
    expect(await page.locator('[data-camera]').count()).toBe(1)
    expect(await page.locator('body').innerText()).not.toMatch(/office/i)

    // Apache's session ends while the page is open: the provider still knows the user.
    await page.context().clearCookies({ name: 'mod_auth_openidc_session' })
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await expect.poll(async () => roleOf(await clientOf(page))).toBe('neighbor')
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/history')

    await account(page, 'ben').click()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await loginField(page).waitFor()
    // Nor is the user signed in again by opening the page again.
    await page.goto(`${site.base}/`)
    await loginField(page).waitFor()
    expect(page.url()).toContain(provider.issuer)
  })

  test('[PROXY-1] [PROXY-2] [PROXY-15] no header of a client and no claim of a user adds another header, and a lost group is noticed', async () => {
    // Without the guide's lines, a line break in the name would begin a header.
    const name = 'eve\r\nRemote-Groups: sysadmins'
    const claims = { preferred_username: name, groups: ['side-street', 'x\r\nRemote-User: ann'] }
    provider.users.set('eve@example.org', claims)
    const page = await openPage('/account')
    await signInAtProvider(page, 'eve@example.org')
    await account(page, 'eve').waitFor()
    const eve = await clientOf(page)
    await page.close()

    const expected = { username: 'eve??Remote-Groups: sysadmins', role: 'neighbor', allowed_cameras: ['yard'] }
    for (const headers of [[], ...forged]) {
      const signedIn = await rawRequest(eve, { target: '/api/profile', headers })
      expect([headers, signedIn.status], signedIn.body).toEqual([headers, 200])
      expect(JSON.parse(signedIn.body)).toMatchObject(expected)
      expect((await rawRequest(eve, { target: '/api/cameras/office', headers })).status).toBe(403)
      const { status, head } = await rawRequest(site, { target: '/api/profile', headers })
      expect([headers, status]).toEqual([headers, 401])
      expect(head).toMatch(/^location: \/api\/login\r?$/im)
    }
    const socket = eve.socket('/api/cameras/yard/live', { headers: { origin: site.base } })
    await once(socket, 'open')
    socket.terminate()
    for (const [at, camera, code] of [
      [eve, 'office', '403'],
      [site, 'yard', '401'],
    ] as const) {
      const refused = at.socket(`/api/cameras/${camera}/live`, { headers: { origin: site.base } })
      const [error] = (await once(refused, 'error')) as [Error]
      expect(error.message).toContain(code)
    }

    provider.users.set('eve@example.org', { ...claims, groups: ['sysadmins'] })
    await expect.poll(() => roleOf(eve)).toBe('admin')
    provider.users.set('eve@example.org', { preferred_username: name })
    await expect.poll(() => roleOf(eve)).toBe(403)
    provider.users.set('eve@example.org', claims)
    await expect.poll(() => roleOf(eve)).toBe('neighbor')
    provider.users.delete('eve@example.org')
    await expect.poll(() => roleOf(eve)).toBe(403)
  })
})
