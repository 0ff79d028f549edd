import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { oidcKeys, startOidcService, type OidcService } from '../server/test/support/oidc-service.ts'
import { program } from '../server/test/support/programs.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { password } from '../server/test/support/sign-in.ts'
import { pageStopwatch } from './browser.ts'
import { newPage, type PageOptions } from './tabs.ts'

const executablePath = program('chromium')
const role_map = { admin: ['sysadmins'], viewer: ['family'], neighbor: ['neighbors'] }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

let at: OidcService
let subjects = 0

/** A new user at the provider. @returns the login */
function person(preferred_username: string, ...groups: readonly string[]): string {
  subjects += 1
  const login = `u${subjects}`
  at.provider.users.set(login, { preferred_username, groups })
  return login
}

/** Opens a page in its own browser. */
async function openPage(path: string, there = at, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(options)
  // The provider's pages load fonts from a public site.
  await page.route(/googleapis/, (route) => route.abort())
  await page.goto(`${there.service.gate.base}${path}`)
  return page
}

const toProvider = (page: Page) => page.getByRole('link', { name: 'Sign in with Example ID' })
const account = (page: Page, user: string) => page.getByRole('button', { name: `Account: ${user}` })
const alert = (page: Page) => page.getByRole('alert')
const loginField = (page: Page) => page.getByPlaceholder('Enter any login')
const tile = (page: Page, camera: string) => page.locator(`[data-camera="${camera}"]`)

/** On the provider's pages. */
async function signInThere(page: Page, login: string): Promise<void> {
  await loginField(page).fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** A page on which a user of the provider has signed in. */
async function signedInAt(path: string, login: string, options: PageOptions = {}): Promise<Page> {
  const page = await openPage(path, at, options)
  await toProvider(page).click()
  await signInThere(page, login)
  await account(page, at.provider.users.get(login)!.preferred_username).waitFor()
  return page
}

async function signInWithPassword(page: Page, user: string): Promise<void> {
  await page.getByLabel('Username').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await account(page, user).waitFor()
}

const startThere = (config: Readonly<Record<string, unknown>> = {}) =>
  startOidcService({ oidc: { name: 'Example ID' }, config: { cameras: quietCameras, ...config } })

describe.skipIf(!executablePath)('signing in with an identity provider', () => {
  beforeAll(async () => {
    at = await startOidcService({
      oidc: { name: 'Example ID', role_map },
      auth: { roles: { neighbor: ['yard'] } },
      config: {
        cameras: {
          yard: { source: 'demo:yard', title: 'Side yard' },
          office: { source: 'demo:office', title: 'Back office', enabled: false },
        },
      },
    })
  })
  afterAll(stopAll)

  test('[OIDC-1] by keyboard alone, the button leads to the provider and back to the wanted page, with the role of the group', async () => {
    const login = person('Ann', 'family')
    const page = await openPage('/history?camera=yard')
    await toProvider(page).waitFor()
    expect(await page.getByLabel('Username').evaluate('document.activeElement.id')).toBe('user')
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate<boolean>(`document.activeElement.href?.includes('oidc') === true`)) break
    }
    await page.keyboard.press('Enter')
    await signInThere(page, login)
    await page.getByRole('button', { name: 'Account: Ann viewer' }).waitFor()
    expect(new URL(page.url())).toMatchObject({ pathname: '/history', search: '?camera=yard' })
  })

  test('[OIDC-1] without a role, the page says what helps, keeps the wanted page, and fits on a phone', async () => {
    const login = person('Bob')
    const page = await openPage('/history', at, phone)
    await toProvider(page).click()
    await signInThere(page, login)
    await alert(page).getByText('your account at Example ID has no role here').waitFor()
    expect(await toProvider(page).getAttribute('href')).toBe('/api/oidc/login?return_to=%2Fhistory')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    // The provider still knows the user, who has been added to a group.
    at.provider.users.set(login, { preferred_username: 'Bob', groups: ['neighbors'] })
    await toProvider(page).click()
    await account(page, 'Bob').waitFor()
    expect(new URL(page.url()).pathname).toBe('/history')
  })

  test.each([
    ['provider-denied', 'The sign-in at Example ID was refused.'],
    ['sign-in-expired', 'The sign-in at Example ID took too long or began in another browser.'],
    ['provider-unavailable', 'Couldn’t reach Example ID.'],
  ])('[OIDC-1] the failure %s is announced', async (failure, text) => {
    const page = await openPage(`/login?failure=${failure}`)
    await alert(page).getByText(text).waitFor()
    await page.getByLabel('Username').waitFor()
  })

  test('[OIDC-1] a failure that does not exist is not shown', async () => {
    const page = await openPage('/login?failure=constructor')
    await toProvider(page).waitFor()
    expect(await alert(page).count()).toBe(0)
  })

  test('[OIDC-1] refusing at the provider leads back to the login page', async () => {
    const page = await openPage('/account')
    await toProvider(page).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await alert(page).getByText('was refused').waitFor()
    expect(await toProvider(page).getAttribute('href')).toBe('/api/oidc/login?return_to=%2Faccount')
  })

  test('[OIDC-4] signing out reaches the provider’s page, the session is gone, and no one is signed in again by themselves', async () => {
    const page = await signedInAt('/account', person('Cat', 'family'))
    await page.getByText('You sign in with Example ID.').waitFor()
    const sections = page.getByRole('navigation', { name: 'Account' })
    expect(await sections.getByRole('link').allInnerTexts()).toEqual(['Profile', 'API tokens', 'Activity'])
    const cookie = (await page.context().cookies(at.service.gate.base)).find(({ name }) => name === 'gatehouse_token')
    const cleared = page.waitForResponse((response) => response.url() === `${at.service.gate.base}/api/logout`)
    await account(page, 'Cat').click()
    await page.getByRole('link', { name: 'Sign out' }).click()
    expect(await (await cleared).headerValue('clear-site-data')).toContain('cache')
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await toProvider(page).waitFor()
    expect(page.url()).toBe(`${at.service.gate.base}/login`)
    const { status } = await at.service.gate.get('/api/profile', { cookie: `gatehouse_token=${cookie?.value ?? ''}` })
    expect(status).toBe(401)
    await page.goBack()
    await page.goto(`${at.service.gate.base}/account`)
    await toProvider(page).click()
    await loginField(page).waitFor()
  })

  test('[OIDC-4] a back-channel logout ends the live video within a second, and the page says so', async () => {
    const login = person('Dan', 'family')
    const page = await signedInAt('/', login)
    await page.locator('[data-camera="yard"][data-state="playing"]').waitFor()
    const gone = page.locator('video').first().waitFor({ state: 'detached' })
    const elapsed = pageStopwatch()
    expect(await at.sendLogout(await at.logoutToken({ sub: login }))).toBe(200)
    await gone
    expect(elapsed()).toBeLessThan(1_000)
    await page.getByText('You’ve been signed out.').waitFor()
    await toProvider(page).waitFor()
  })

  test('[OIDC-3] a re-check that finds the group removed closes the camera while it is open', async () => {
    const login = person('Eve', 'neighbors')
    const page = await signedInAt('/cameras/yard', login)
    await page.locator('[data-state="playing"]').first().waitFor()
    at.provider.users.set(login, { preferred_username: 'Eve', groups: [] })
    await at.service.clock.advance(303_000)
    await page.locator('video').first().waitFor({ state: 'detached' })
    await page.getByText('You’ve been signed out.').waitFor()
    await toProvider(page).click()
    await alert(page).getByText('has no role here').waitFor()
  })

  test('[OIDC-3] a re-check that gives another group changes the cameras on screen', async () => {
    const login = person('Fay', 'family')
    const page = await signedInAt('/', login)
    await tile(page, 'office').waitFor()
    // The page learns of the change by an event.
    await page.locator('[data-camera="yard"][data-state="playing"]').waitFor()
    at.provider.users.set(login, { preferred_username: 'Fay', groups: ['neighbors'] })
    await at.service.clock.advance(303_000)
    await tile(page, 'office').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account: Fay neighbor' }).waitFor()
    expect(await tile(page, 'yard').count()).toBe(1)
  })

  test('[OIDC-2] two users with the same name are two users on every page', async () => {
    await at.service.user('gus', 'viewer')
    const login = person('gus', 'neighbors')
    await at.signedIn(login)
    const page = await signedInAt('/settings/users?q=gus', person('Hal', 'sysadmins'))
    const host = new URL(at.provider.issuer).host
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: 'gus' })
    await rows.nth(1).waitFor()
    expect(await rows.count()).toBe(2)
    const signIn = page.getByRole('combobox', { name: 'Sign-in' })
    await signIn.selectOption('Password')
    await rows.filter({ hasText: host }).waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(1)
    await signIn.selectOption('Example ID')
    await rows.filter({ hasText: host }).waitFor()
    expect(await rows.count()).toBe(1)

    await rows.filter({ hasText: host }).getByRole('link', { name: 'gus' }).click()
    await page.getByText(`${host} decides the role, the password and the second factor of gus.`).waitFor()
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts()
    expect(headings).toEqual(['Identity provider', 'Status', 'Sessions', 'Delete this user'])
    await page.getByRole('button', { name: 'Disable user' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable user' }).click()
    await page.getByText('gus is disabled and can’t sign in.').waitFor()

    await page.goto(`${at.service.gate.base}/settings/users/gus`)
    await page.getByText('gus can sign in.').waitFor()
    await page.getByRole('button', { name: 'Create reset link' }).waitFor()

    await page.goto(`${at.service.gate.base}/settings/access`)
    await page.getByRole('combobox', { name: 'User' }).fill('gus')
    await page.getByRole('option', { name: `gus (${host})` }).click()
    await page.getByText('the user is disabled').waitFor()
    await page.getByRole('combobox', { name: 'User' }).fill('gus')
    await page.getByRole('option', { name: 'gus', exact: true }).click()
    await page.getByText('assigned by an admin').waitFor()
  })

  test('[OIDC-1] [OIDC-4] below a sub-path, the way to the provider and back stays below it', async () => {
    const there = await startThere({ http: { base_path: '/nvr/' } })
    there.provider.users.set('jo', { preferred_username: 'Jo', groups: [] })
    const page = await openPage('/nvr/account', there)
    await toProvider(page).click()
    await signInThere(page, 'jo')
    await alert(page).getByText('has no role here').waitFor()
    there.provider.users.set('jo', { preferred_username: 'Jo', groups: ['family'] })
    await toProvider(page).click()
    await account(page, 'Jo').click()
    expect(new URL(page.url()).pathname).toBe('/nvr/account')
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await toProvider(page).waitFor()
    expect(page.url()).toBe(`${there.service.gate.base}/nvr/login`)
  })

  test('[OIDC-1] with `only`, the provider is offered alone, and the emergency admin finds the password', async () => {
    const there = await startThere()
    await there.service.user('chief', 'admin')
    const oidc = { ...oidcKeys(there.provider), name: 'Example ID', only: true, emergency_user: 'chief' }
    await changeConfig(there.service, { auth: { failed_login_rate_limit: null, oidc } })
    const page = await openPage('/settings/users', there)
    await toProvider(page).waitFor()
    expect(await page.getByLabel('Username').count()).toBe(0)
    await page.getByRole('button', { name: 'Sign in with a password' }).press('Enter')
    expect(await page.getByLabel('Username').evaluate('document.activeElement.id')).toBe('user')
    await signInWithPassword(page, 'chief')
    await page.getByText('Users sign in with Example ID. Only the user that').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
  })

  test('[OIDC-5] without the provider, the page says so and a local password works', async () => {
    const there = await startThere()
    await there.service.user('ina', 'viewer')
    there.provider.failure = 'refused'
    // What the provider's discovery document said is used for an hour.
    await there.service.clock.advance(3_601_000)
    const page = await openPage('/account', there)
    await toProvider(page).click()
    await alert(page).getByText('Couldn’t reach Example ID. Try again in a few minutes.').waitFor()
    await signInWithPassword(page, 'ina')
    expect(new URL(page.url()).pathname).toBe('/account')

    expect((await there.service.internal.put('/api/users/ina/role', { role: 'admin' })).status).toBe(200)
    await page.goto(`${there.service.gate.base}/settings/system`)
    await page.getByText('Check auth.oidc.issuer.').waitFor()
    await page.getByText('Failing', { exact: true }).waitFor()
  })

  test('[OIDC-1] without a provider, nothing about one is shown, and the form is there if the service does not say', async () => {
    const there = await startOidcService({ oidc: { issuer: null, client_id: null }, config: { cameras: quietCameras } })
    const page = await openPage('/login', there)
    await page.getByLabel('Username').waitFor()
    expect(await page.locator('a[href*="oidc"]').count()).toBe(0)
    const slow = await openPage('/', there)
    await slow.route('**/api/login/methods', () => {})
    await slow.goto(`${there.service.gate.base}/login`)
    await slow.getByLabel('Username').waitFor()
  })
})
