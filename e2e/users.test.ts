import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { openDatabase } from '../server/test/support/service-database.ts'
import type { Service } from '../server/test/support/service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, openAs, ownPage, signedIn as signedInPage, signInOn, type PageOptions } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  side_yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  front_door: { source: 'demo:door', title: 'Front door', enabled: false },
  office: { source: 'demo:office', title: 'Back office', enabled: false },
}

let service: Service

const signedIn = (user: string, path?: string, options?: PageOptions): Promise<Page> =>
  signedInPage(service, user, path, options)

/** Signs in with a password set by an admin, which must be changed. */
async function signedInAtFirst(user: string, given = ''): Promise<Page> {
  const page = await newPage()
  await page.goto(service.gate.base)
  await page.getByLabel('Username').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(given)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading(page, 'Choose a new password').waitFor()
  await page.getByText('An admin chose your temporary password.').waitFor()
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Set password and continue' }).click()
  await page.getByRole('button', { name: `Account: ${user}` }).waitFor()
  return page
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
/** The lines of a link's or heading's text, as they are laid out. */
const linesOf = (words: string) => `(() => {
  const element = [...document.querySelectorAll('a, h1')].find(({ textContent }) => textContent === '${words}')
  const lines = new Map()
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (let at = 0; at < text.length; at++) {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      const { top } = range.getBoundingClientRect()
      lines.set(top, (lines.get(top) ?? '') + range.toString())
    }
  }
  return [...lines.values()]
})()`

const dialog = (page: Page) => page.getByRole('dialog')
const tiles = (page: Page) => page.locator('li [data-camera]')

/** Adds `person0` to `person59`. Directly, because hashing so many passwords takes long, and no one signs in with them. */
function addSixty(): void {
  const database = openDatabase(service)
  database.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 59)
    insert into user (id, name, key, role, password_hash, credential_version, password_set_at, password_origin, created_at)
    select 'person' || i, 'person' || i, 'person' || i, 'guard', 'x', 1, 0, 0, i from n`)
  database.close()
}

describe.skipIf(!executablePath)('users and roles in the browser', () => {
  beforeAll(async () => {
    service = await startService({
      config: {
        tls: { enabled: false },
        cameras,
        auth: { roles: { guard: ['side_yard', 'front_door'], keeper: ['side_yard', 'old_barn'] } },
      },
    })
    await service.user('ada', 'admin')
    await service.user('vera', 'viewer')
  })
  afterAll(stopAll)

  test('[ROLE-7] an admin adds a role and a user of it, who sees one camera; deleting the role shows who gains what', async () => {
    const page = await signedIn('ada')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Roles' }).click()
    await heading(page, 'Roles').waitFor()

    await page.getByRole('button', { name: 'Add role' }).click()
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await dialog(page).getByText('Enter a name.').waitFor()
    await dialog(page).getByText('Select at least one camera.').waitFor()
    await dialog(page).getByLabel('Name').fill('GUARD')
    await dialog(page).getByRole('switch', { name: 'Side yard' }).click()
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await dialog(page)
      .getByText(/^Role guard exists and differs only in capitalization/)
      .waitFor()
    await dialog(page).getByLabel('Name').fill('guard')
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await dialog(page).getByText('Role guard already exists.').waitFor()
    await dialog(page).getByLabel('Name').fill('a-b')
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await dialog(page)
      .getByText(/^Use 1 to 64 letters/)
      .waitFor()
    await dialog(page).getByLabel('Name').fill('neighbor')
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await page.getByText('Role neighbor created.').waitFor()
    const roles = (await service.internal.get('/api/roles')).json as { name: string; cameras: string[] }[]
    expect(roles.find(({ name }) => name === 'neighbor')?.cameras).toEqual(['side_yard'])

    await page.route('**/api/roles', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto(`${service.gate.base}/settings/users`)
    await page.getByRole('button', { name: 'Add user' }).click()
    const again = dialog(page).getByRole('alert').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute('**/api/roles')
    await again.click()
    await again.waitFor({ state: 'detached' })
    await dialog(page).getByLabel('Username').fill('vera')
    await dialog(page).getByRole('combobox', { name: 'Role' }).selectOption('neighbor')
    await dialog(page).getByText('View-only access to Side yard.').waitFor()
    await dialog(page).getByLabel('Password', { exact: true }).fill('password1234')
    await dialog(page).getByRole('button', { name: 'Add user' }).click()
    await dialog(page).getByText('This is one of the most common passwords.').waitFor()
    await dialog(page).getByRole('button', { name: 'Generate' }).click()
    await dialog(page).getByRole('button', { name: 'Add user' }).click()
    await dialog(page).getByText('A user with this name already exists.').waitFor()
    await dialog(page).getByLabel('Username').fill('nina')
    await dialog(page).getByRole('button', { name: 'Add user' }).click()
    await dialog(page).getByText('Sign-in details for nina').waitFor()
    const [name, made] = await dialog(page).locator('code').allInnerTexts()
    expect(name).toBe('nina')
    // The pressed button went with the form.
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Copy the password')
    await dialog(page).getByRole('button', { name: 'Done' }).click()

    const hers = await signedInAtFirst('nina', made)
    await tiles(hers).first().waitFor()
    expect(await tiles(hers).count()).toBe(1)
    await hers.getByText('Side yard').first().waitFor()

    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('link', { name: 'neighbor' }).click()
    await page.getByRole('button', { name: 'Delete role' }).click()
    const reported = page.getByTestId('consequences')
    await reported.waitFor()
    expect((await reported.getByRole('listitem').allInnerTexts()).sort()).toEqual(['Back office', 'Front door', 'nina'])
    expect((await service.internal.get('/api/roles')).text).toContain('neighbor')
    await dialog(page).getByRole('button', { name: 'Delete role' }).click()
    await page.getByText('Role neighbor deleted. Now viewers: nina.').waitFor()
    // A page polls its cameras every five seconds.
    await expect.poll(() => tiles(hers).count()).toBe(3)
  })

  test('a dialog with a form stays open while it is sent, and says how that failed', async () => {
    const page = await signedIn('ada', '/settings/roles')
    await page.getByRole('button', { name: 'Add role' }).click()
    await dialog(page).getByLabel('Name').fill('porter')
    await dialog(page).getByRole('switch', { name: 'Side yard' }).click()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/roles/porter', async (route) => {
      await held.promise
      await route.fulfill({ status: 503, json: {} })
    })
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await expect.poll(() => dialog(page).getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    held.resolve()
    await dialog(page).getByText('Gatehouse isn’t available right now.').waitFor({ timeout: 20_000 })
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('a dialog whose request gets no response can be closed after half a minute, and says why', async () => {
    const page = await ownPage()
    await signInOn(page, service, 'ada')
    // Half a minute passes when the test says so.
    await page.addInitScript(`AbortSignal.timeout = () => {
      const late = new AbortController()
      globalThis.halfMinutePasses = () => late.abort()
      return late.signal
    }`)
    await page.goto(`${service.gate.base}/settings/roles`)
    await page.getByRole('button', { name: 'Add role' }).click()
    await dialog(page).getByLabel('Name').fill('porter')
    await dialog(page).getByRole('switch', { name: 'Side yard' }).click()
    await page.route('**/api/roles/porter', () => {})
    const requested = page.waitForRequest('**/api/roles/porter')
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await requested
    await expect.poll(() => dialog(page).getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    await page.evaluate('halfMinutePasses()')
    await dialog(page).getByText('Can’t reach Gatehouse.').waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('[ROLE-7] a page shows no denial while the users of a deleted role get another one, and access that comes back later without a reload', async () => {
    await service.internal.put('/api/roles/gardener', { cameras: ['side_yard'] })
    await service.user('gus', 'gardener')
    const page = await ownPage()
    await page.clock.install()
    await openAs(page, service, 'gus')
    await tiles(page).first().waitFor()
    // What the service says between the two steps of a deletion.
    const denied = { status: 403, json: { code: 'forbidden', reason: { code: 'role-deleted' } } }
    const requests: string[] = []
    await page.route('**/api/profile', (route) =>
      requests.push(route.request().url()) === 1 ? route.fulfill(denied) : route.continue(),
    )
    const isDenied = () => page.getByRole('heading', { name: 'Access denied' }).count()
    expect((await service.internal.delete('/api/roles/gardener')).status).toBe(200)
    while (requests.length < 2) {
      await page.clock.runFor(250)
      expect(await isDenied()).toBe(0)
    }
    await expect.poll(() => tiles(page).count()).toBe(3)

    await page.unroute('**/api/profile')
    await page.route('**/api/profile', (route) => route.fulfill(denied))
    while ((await isDenied()) === 0) await page.clock.runFor(10_000)
    expect(await tiles(page).count()).toBe(0)
    await page.unroute('**/api/profile')
    await page.clock.runFor(11_000)
    // Less than the minute after which every page asks.
    await expect.poll(() => tiles(page).count(), { timeout: 30_000 }).toBe(3)
  })

  test('a form is sent by Enter, once at a time, and the first wrong field gets the focus', async () => {
    const page = await signedIn('ada', '/settings/roles')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(new URL(request.url()).pathname)
    })
    await page.getByRole('button', { name: 'Add role' }).click()
    const name = dialog(page).getByLabel('Name')
    await dialog(page).getByRole('switch', { name: 'Side yard' }).focus()
    await dialog(page).getByRole('button', { name: 'Add role' }).click()
    await dialog(page).getByText('Enter a name.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')

    await dialog(page).getByRole('switch', { name: 'Side yard' }).click()
    await name.fill('guard')
    await name.press('Enter')
    await dialog(page).getByText('Role guard already exists.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
    expect(sent).toEqual(['/api/roles/guard'])

    await name.fill('twice')
    await page.evaluate(`document.querySelectorAll('[role=dialog] form').forEach((form) => {
      form.requestSubmit()
      form.requestSubmit()
    })`)
    await page.getByText(/^Role twice created/).waitFor()
    expect(sent).toEqual(['/api/roles/guard', '/api/roles/twice'])
    await service.internal.delete('/api/roles/twice')
  })

  test('[CAM-4] a camera that awaits confirmation is not listed as visible, and is gained when the role is deleted', async () => {
    await service.user('kim', 'keeper')
    const config = async (change: (text: string) => string) => {
      const { text } = await service.internal.get('/api/config/raw')
      const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
      expect((await service.internal.put('/api/config/raw', change(text), headers)).status).toBe(200)
    }
    const barn = '  old_barn: { source: demo:yard, title: Old barn, enabled: false }\n'
    await config((text) => text.replace(/^cameras:\n/m, `cameras:\n${barn}`))

    const page = await signedIn('ada', '/settings/access?q=kim')
    const cells = page.getByRole('row', { name: /^kim/ }).getByRole('cell')
    await cells.first().waitFor()
    const seen = async () => (await cells.allInnerTexts()).map((text) => text.replaceAll(/\W/g, ''))
    expect(await page.locator('thead th').allInnerTexts()).toEqual([
      'Users',
      'Old barn',
      'Side yard',
      'Front door',
      'Back office',
    ])
    expect(await seen()).toEqual(['no', 'yes', 'no', 'no'])
    await page.getByLabel('Camera', { exact: true }).selectOption('old_barn')
    await page.getByText('No matches').waitFor()
    await page.goto(`${service.gate.base}/settings/users/kim`)
    await page.getByText('View-only access to Side yard.').waitFor()

    await page.goto(`${service.gate.base}/settings/roles/keeper`)
    await page.getByRole('button', { name: 'Delete role' }).click()
    const reported = page.getByTestId('consequences')
    await reported.waitFor()
    expect((await reported.getByRole('listitem').allInnerTexts()).sort()).toEqual([
      'Back office',
      'Front door',
      'Old barn',
      'kim',
    ])
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await config((text) => text.replace(barn, ''))
    await service.internal.delete('/api/users/kim')
  })

  test('[ROLE-7] users whose role is missing are listed and given another; roles that differ between instances are listed', async () => {
    for (const name of ['olive', 'oscar']) {
      expect((await service.internal.post('/api/users', { username: name, password, role: 'keeper' })).status).toBe(201)
    }
    const { text } = await service.internal.get('/api/config/raw')
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    const without = text.replace('keeper:', 'keepr:')
    expect((await service.internal.put('/api/config/raw?orphan_roles=allow', without, headers)).status).toBe(200)

    const page = await signedIn('ada', '/settings/users')
    const named = page.getByRole('status').filter({ hasText: '2 users have a role that doesn’t exist' })
    await named.getByText('keeper: olive and oscar').waitFor()
    await named.getByRole('button', { name: 'Reassign users of keeper' }).click()
    await dialog(page).getByText('Select a new role for olive and oscar.').waitFor()
    expect(await dialog(page).getByRole('combobox', { name: 'Role' }).inputValue()).toBe('')
    await dialog(page).getByRole('button', { name: 'Reassign' }).click()
    await dialog(page).getByText('Select a role.').waitFor()
    // Another admin already assigned one of them a role: that user is left alone.
    expect((await service.internal.put('/api/users/oscar/role', { role: 'keepr' })).status).toBe(200)
    await dialog(page).getByRole('combobox', { name: 'Role' }).selectOption('guard')
    await dialog(page)
      .getByText('View-only access to Front door and Side yard')
      .or(dialog(page).getByText(/^View-only access to .*Side yard/))
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Reassign' }).click()
    await page.getByText('1 user is now guard.').waitFor()
    await named.waitFor({ state: 'detached' })
    const users = (await service.internal.get('/api/users')).json as { username: string; role: string }[]
    const roleOf = (name: string) => users.find(({ username }) => username === name)?.role
    expect(['olive', 'oscar'].map(roleOf)).toEqual(['guard', 'keepr'])

    for (const name of ['olive', 'oscar']) await service.internal.delete(`/api/users/${name}`)
    expect((await service.internal.put('/api/config/raw', text, headers)).status).toBe(200)
  })

  test('[ROLE-3] the cameras of a role are changed by switches, and a missing camera is marked', async () => {
    const page = await signedIn('ada', '/settings/roles/keeper')
    await page.getByRole('switch', { name: 'old_barn (camera not found)' }).click()
    await page.getByRole('switch', { name: 'Back office' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Role keeper saved.').waitFor()
    const roles = (await service.internal.get('/api/roles')).json as { name: string; cameras: string[] }[]
    expect(roles.find(({ name }) => name === 'keeper')?.cameras).toEqual(['side_yard', 'office'])

    await page.getByRole('switch', { name: 'Side yard' }).click()
    await page.getByRole('switch', { name: 'Back office' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Select at least one camera, or/).waitFor()
  })

  test('[ROLE-3] another admin’s changes to a role in between are not overwritten', async () => {
    await service.internal.put('/api/roles/watch', { cameras: ['side_yard'] })
    const page = await signedIn('ada', '/settings/roles/watch')
    await page.getByRole('switch', { name: 'Front door' }).click()
    await service.internal.put('/api/roles/watch', { cameras: ['office'] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changed by someone else').waitFor()
    const cameras = () =>
      service.internal
        .get('/api/roles')
        .then(
          ({ json }) => (json as { name: string; cameras: string[] }[]).find(({ name }) => name === 'watch')?.cameras,
        )
    expect(await cameras()).toEqual(['office'])
    await page.getByRole('button', { name: 'Load current version' }).click()
    await expect.poll(() => page.getByRole('switch', { name: 'Back office' }).isChecked()).toBe(true)

    // Deleted in between: saving does not recreate the role.
    await page.getByRole('switch', { name: 'Front door' }).click()
    await service.internal.delete('/api/roles/watch')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await heading(page, 'Role not found').waitFor()
    expect(await cameras()).toBeUndefined()
  })

  test('[USER-6] the last admin cannot be demoted, even if the other admin is demoted first', async () => {
    const page = await signedIn('ada', '/settings/users/ada')
    await page.getByRole('button', { name: 'Delete user' }).click()
    await dialog(page).getByText('This is your own account.').waitFor()
    // The other admin has been demoted by the time the change is confirmed.
    await service.internal.put('/api/users/admin/role', { role: 'viewer' })
    await dialog(page).getByRole('button', { name: 'Delete user' }).click()
    await dialog(page).getByText('This is the only admin.').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('This is the only admin and can’t be changed').waitFor()
    await dialog(page).waitFor({ state: 'hidden' })
    expect(await page.getByRole('button', { name: 'Delete user' }).isDisabled()).toBe(true)
    await service.internal.put('/api/users/admin/role', { role: 'admin' })
  })

  test('[USER-6] disabling a user signs them out at once; enabling lets them sign in again', async () => {
    await service.user('dora', 'viewer')
    const hers = await signedIn('dora')
    await tiles(hers).first().waitFor()
    const page = await signedIn('ada', '/settings/users/dora')
    const status = page.getByTestId('user-status')
    await status.getByText('dora can sign in.').waitFor()
    await page.getByRole('button', { name: 'Disable user' }).click()
    await dialog(page).getByText('dora is signed out immediately, open video ends').waitFor()
    await dialog(page).getByRole('button', { name: 'Disable user' }).click()
    await status.getByText('dora is disabled and can’t sign in.').waitFor()
    await page.getByText('Not signed in anywhere.').waitFor()
    await hers.getByText('Sign in to return to the page. Unsaved changes are lost.').waitFor()
    await page.getByRole('link', { name: 'All users' }).click()
    await page.getByRole('row', { name: /dora/ }).getByText('Disabled').waitFor()
    await page.getByRole('link', { name: 'dora' }).press('Enter')
    await page.getByRole('button', { name: 'Enable user' }).press('Enter')
    await status.getByText('dora can sign in.').waitFor()
    await signedIn('dora')
    await service.internal.delete('/api/users/dora')
  })

  test('[USER-6] a user gets an expiry, which an empty field does not remove; a past one is refused', async () => {
    await service.user('tim', 'viewer')
    const now = async () =>
      ((await service.internal.get('/api/users/tim')).json as { expires_at: string | null }).expires_at
    const page = await signedIn('ada', '/settings/users/tim', { timezoneId: 'Europe/Berlin' })
    const save = page.getByRole('button', { name: 'Save expiry' })
    const field = page.getByLabel('Expires at')
    expect(await save.isDisabled()).toBe(true)
    await field.fill('2020-01-01T12:00')
    await save.click()
    await page.getByText('This time is in the past. To end access now, disable the user.').waitFor()
    await field.fill('2040-01-01T12:00')
    await field.press('Enter')
    await page.getByText('tim can sign in until Jan 1, 2040, 12:00 PM.').waitFor()
    expect(await now()).toBe('2040-01-01T11:00:00.000Z')
    await field.fill('')
    await save.click()
    await page.getByText('Enter a date and a time.').waitFor()
    expect(await now()).toBe('2040-01-01T11:00:00.000Z')
    await page.goto(`${service.gate.base}/settings/users`)
    await page.getByRole('row', { name: /tim/ }).getByText('Until Jan 1, 2040').waitFor()
    await page.goto(`${service.gate.base}/settings/users/tim`)
    await page.getByRole('button', { name: 'Remove expiry' }).click()
    await page.getByTestId('user-status').getByText('tim can sign in.').waitFor()
    expect(await now()).toBeNull()
    await service.internal.put('/api/users/tim/status', { expires_at: '2020-01-01T00:00:00Z' })
    await page.goto(`${service.gate.base}/settings/users`)
    await page.getByRole('row', { name: /tim/ }).getByText('Expired').waitFor()
    await service.internal.delete('/api/users/tim')
  })

  test('[USER-6] a failure of an expiry is shown until the next change begins', async () => {
    await service.user('tom', 'viewer')
    await service.internal.put('/api/users/tom/status', { expires_at: '2040-01-01T12:00:00Z' })
    const page = await signedIn('ada', '/settings/users/tom')
    const [save, remove] = ['Save expiry', 'Remove expiry'].map((name) => page.getByRole('button', { name }))
    const failure = page.getByRole('alert').filter({ hasText: 'available right now' })
    const failOnce = () =>
      page.route(
        '**/api/users/tom/status',
        (route) => route.fulfill({ status: 503, json: { code: 'unavailable', message: 'unavailable' } }),
        { times: 1 },
      )
    await failOnce()
    await remove?.click()
    await failure.waitFor()
    await page.getByLabel('Expires at').fill('2041-01-01T12:00')
    await save?.click()
    await page.getByText('tom can sign in until Jan 1, 2041, 12:00 PM.').waitFor()
    expect(await failure.count()).toBe(0)
    await page.getByLabel('Expires at').fill('2042-01-01T12:00')
    await failOnce()
    await save?.click()
    await failure.waitFor()
    await remove?.click()
    await page.getByTestId('user-status').getByText('tom can sign in.').waitFor()
    expect(await failure.count()).toBe(0)
    await service.internal.delete('/api/users/tom')
  })

  test('[USER-6] an expiry that is typed while another one is saved, or changed by another admin, stays in the field', async () => {
    await service.user('toni', 'viewer')
    const path = '/api/users/toni/status'
    await service.internal.put(path, { expires_at: '2040-01-01T00:00:00Z' })
    const page = await signedIn('ada', '/settings/users/toni', { timezoneId: 'UTC' })
    const status = page.getByTestId('user-status')
    const field = page.getByLabel('Expires at')
    const save = page.getByRole('button', { name: 'Save expiry' })
    const removal = page.getByRole('button', { name: 'Remove expiry' })
    const held = Promise.withResolvers<void>()
    await page.route(`**${path}`, async (route) => {
      await held.promise
      await route.continue()
    })
    await field.fill('2041-01-01T12:00')
    await Promise.all([page.waitForRequest(`**${path}`), field.press('Enter')])
    await field.fill('2042-01-01T12:00')
    await expect.poll(() => removal.isDisabled()).toBe(true)
    held.resolve()
    await status.getByText('toni can sign in until Jan 1, 2041, 12:00 PM.').waitFor()
    await expect.poll(() => removal.isEnabled()).toBe(true)
    expect(await field.inputValue()).toBe('2042-01-01T12:00')
    const warning = page.getByRole('alert').filter({ hasText: 'Changed by someone else' })
    expect(await warning.count()).toBe(0)

    const changeElsewhere = async (expires_at: string) => {
      await service.internal.put(path, { expires_at })
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    }
    await changeElsewhere('2043-01-01T00:00:00Z')
    await warning.getByText('toni now expires on Jan 1, 2043, 12:00 AM. Save again to replace this.').waitFor()
    expect(await field.inputValue()).toBe('2042-01-01T12:00')
    await save.click()
    await status.getByText('toni can sign in until Jan 1, 2042, 12:00 PM.').waitFor()
    await warning.waitFor({ state: 'detached' })
    await changeElsewhere('2044-01-01T00:00:00Z')
    await status.getByText('toni can sign in until Jan 1, 2044, 12:00 AM.').waitFor()
    await expect.poll(() => field.inputValue()).toMatch(/^2044-01-01T00:00/)
    expect(await warning.count()).toBe(0)
    await service.internal.delete('/api/users/toni')
  })

  test('[USER-6] the last admin who is enabled and without an expiry can be neither disabled nor limited', async () => {
    const page = await signedIn('ada', '/settings/users/ada')
    await page.getByRole('button', { name: 'Disable user' }).click()
    await dialog(page).getByText('Only another admin can enable it again.').waitFor()
    // The other admins have been disabled or limited by the time the change is confirmed.
    const others = ((await service.internal.get('/api/users?role=admin')).json as { username: string }[])
      .map(({ username }) => username)
      .filter((name) => name !== 'ada')
    for (const [at, name] of others.entries()) {
      const status = at === 0 ? { disabled: true } : { expires_at: '2040-01-01T00:00:00Z' }
      expect((await service.internal.put(`/api/users/${name}/status`, status)).status).toBe(200)
    }
    await dialog(page).getByRole('button', { name: 'Disable user' }).click()
    await dialog(page).getByText('This is the only enabled admin with a password and no expiry').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByText('Admins who are disabled, have an expiry or sign in with an identity provider don’t count.')
      .waitFor()
    await dialog(page).waitFor({ state: 'hidden' })
    expect(await page.getByRole('button', { name: 'Disable user' }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Expires at').isDisabled()).toBe(true)
    for (const name of others) {
      await service.internal.put(`/api/users/${name}/status`, { disabled: false, expires_at: null })
    }
  })

  test('[USER-6] giving up your own admin role needs a confirmation and closes the settings', async () => {
    await service.user('bert', 'admin')
    const page = await signedIn('bert', '/settings/users/bert')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer')
    await page.getByRole('button', { name: 'Change role' }).click()
    await dialog(page).getByText('You’ll become viewer and lose access').waitFor()
    await dialog(page).getByRole('button', { name: 'Remove my admin access' }).click()
    await heading(page, 'Access denied').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
  })

  test('[USER-5] a user deleted by another admin in between: the page says so', async () => {
    await service.user('gone', 'viewer')
    const page = await signedIn('ada', '/settings/users/gone')
    await page.getByRole('button', { name: 'Delete user' }).click()
    await service.internal.delete('/api/users/gone')
    await dialog(page).getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('gone was already deleted.').waitFor()
    await page.goto(`${service.gate.base}/settings/users/gone`)
    await heading(page, 'User not found').waitFor()
  })

  test('[TOK-7] a password set by an admin and revoked sessions sign the user out', async () => {
    await service.user('sven', 'viewer')
    const his = await signedIn('sven')
    await tiles(his).first().waitFor()
    const page = await signedIn('ada', '/settings/users/sven')
    await page.getByRole('button', { name: 'Sign out all sessions' }).click()
    await dialog(page).getByText('signed out of 2 browsers and apps').waitFor()
    await dialog(page).getByRole('button', { name: 'Sign out all sessions' }).click()
    await page.getByText('Not signed in anywhere.').waitFor()
    await his.getByText('You’ve been signed out.').waitFor()

    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('button', { name: 'Set password' }).click()
    await dialog(page).getByText('Sign-in details for sven').waitFor()
    const [, made] = await dialog(page).locator('code').allInnerTexts()
    await signedInAtFirst('sven', made)
  })

  test.each([660, 920, 1280])('the titles of the columns are on one line each, also %d pixels wide', async (width) => {
    const page = await newPage({ locale: 'es', viewport: { width, height: 800 } })
    await page.goto(`${service.internal.base}/settings/users`)
    const titles = page.getByRole('columnheader')
    await titles.first().waitFor()
    for (const title of await titles.all()) expect((await title.boundingBox())!.height).toBeLessThan(56)
    const overflow =
      'document.querySelector("table").scrollWidth - document.querySelector("table").parentElement.clientWidth'
    expect(await page.evaluate(overflow)).toBe(0)
  })

  test('on a phone, a long email address wraps after its @ or a dot', async () => {
    const address = 'maximiliane.mustermann@verwaltung.beispielstadt.example.org'
    await service.user(address, 'viewer')
    const page = await newPage({ viewport: { width: 360, height: 800 } })
    await page.goto(`${service.internal.base}/settings/users`)
    const link = page.getByRole('link', { name: address })
    const expectGoodBreaks = async () => {
      const lines: string[] = await page.evaluate(linesOf(address))
      expect(lines.length).toBeGreaterThan(1)
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/[@.]$/)
    }
    await link.waitFor()
    await expectGoodBreaks()
    await link.click()
    await heading(page, address).waitFor()
    await expectGoodBreaks()
  })

  test('[USER-5] a long list of users is searched, sorted and paged by the service', async () => {
    addSixty()
    const page = await newPage()
    const requested: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/users')) requested.push(request.url())
    })
    await openAs(page, service, 'ada', '/settings/users')
    const rows = page.getByRole('row')
    await expect.poll(() => rows.count()).toBe(51)
    const all = ((await service.internal.get('/api/users')).json as unknown[]).length
    const count = (text: string) => page.getByRole('search').getByText(text, { exact: true }).waitFor()
    await count(`50 of ${all}`)
    await page.getByRole('button', { name: `Show ${all - 50} more` }).click()
    await expect.poll(() => rows.count()).toBe(all + 1)
    await count(`${all} total`)
    expect(await page.getByRole('button', { name: /^Show \d+ more$/ }).count()).toBe(0)
    await page.reload()
    await expect.poll(() => rows.count()).toBe(all + 1)
    await page.getByRole('searchbox', { name: 'Search users' }).fill('person5')
    await expect.poll(() => rows.count()).toBe(12)
    await page.getByRole('button', { name: 'Username' }).click()
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/person59/)
    await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer')
    await page.getByText('No matching users').waitFor()
    expect(requested.filter((url) => !/\?.*\blimit=\d+/.test(url))).toEqual([])
    await page.getByRole('searchbox', { name: 'Search users' }).fill('no such user')
    await page.getByText('No matching users').waitFor()

    requested.length = 0
    await page.goto(`${service.gate.base}/settings/access`)
    const seen = page.locator('tbody tr')
    await expect.poll(() => seen.count()).toBe(50)
    await count(`50 of ${all}`)
    await page.getByRole('button', { name: `Show ${all - 50} more` }).click()
    await expect.poll(() => seen.count()).toBe(all)
    await page.getByLabel('Camera', { exact: true }).selectOption('office')
    await expect.poll(() => seen.count()).toBe(all - 60)
    await count(`${all - 60} total`)
    await page.getByLabel('Camera', { exact: true }).selectOption('side_yard')
    await expect.poll(() => seen.count()).toBe(50)
    expect(requested.filter((url) => !/\blimit=(50|100|500)\b/.test(url))).toEqual([])
    const full = ((await service.internal.get('/api/users?camera=side_yard')).json as unknown[]).length
    await page.evaluate(`window.print = () => { window.printed = document.querySelectorAll('tbody tr').length }`)
    await page.getByRole('button', { name: 'Print' }).click()
    await expect.poll(() => page.evaluate('window.printed')).toBe(full)
    await page.evaluate(`window.dispatchEvent(new Event('afterprint'))`)
    await expect.poll(() => seen.count()).toBe(50)
    for (const [at] of Array.from({ length: 60 }).entries()) await service.internal.delete(`/api/users/person${at}`)
  })
})
