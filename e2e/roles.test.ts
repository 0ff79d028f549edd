import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { fetched } from './fetched.ts'
import { newPage, openAs, signedIn, type PageOptions } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  side_yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  front_door: { source: 'demo:door', title: 'Front door', enabled: false },
  office: { source: 'demo:office', title: 'Back office', enabled: false },
}

let service: Service

const opened = (path: string, options?: PageOptions): Promise<Page> => signedIn(service, 'ada', path, options)

interface Role {
  readonly name: string
  readonly [key: string]: unknown
}
const roleNow = async (name: string): Promise<Role | undefined> =>
  ((await service.internal.get('/api/roles')).json as Role[]).find((role) => role.name === name)

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
/** Holds the requests at a URL back until `respond` is called. `sent`: there is one. */
async function held(page: Page, url: string): Promise<{ sent: Promise<void>; respond: () => void }> {
  const sent = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    sent.resolve()
    await answered.promise
    await route.continue()
  })
  return { sent: sent.promise, respond: answered.resolve }
}

const incomplete = 'Incomplete time. Complete it, or clear the field.'

/** Whether an element can be seen without scrolling, and nothing covers its center. */
const isOnScreen = (element: Locator): Promise<boolean> =>
  element.evaluate((found) => {
    const { ownerDocument: page } = found
    const { left, top, width, height } = found.getBoundingClientRect()
    const at = page.elementFromPoint(left + width / 2, top + height / 2)
    return at !== null && at !== page.documentElement && (found.contains(at) || at.contains(found))
  })

const words = (page: Page) => page.getByTestId('role-in-words')
const changes = (page: Page) => page.getByTestId('changes')

describe.skipIf(!executablePath)('what a role gives, in the browser', () => {
  beforeAll(async () => {
    service = await startService({
      config: {
        tls: { enabled: false },
        cameras,
        camera_groups: { outside: ['side_yard', 'front_door'] },
        auth: {
          roles: { guard: ['side_yard'], night: ['side_yard'], cleaner: { cameras: ['office'], allow: ['live'] } },
        },
      },
    })
    await service.user('ada', 'admin')
    await service.user('gustav', 'guard')
  })
  afterAll(stopAll)

  test('[GRANT-1] all roles are compared action by action, on a phone as cards', async () => {
    const page = await opened('/settings/roles')
    const table = page.getByRole('region', { name: 'Roles and what they allow' })
    await table.waitFor()
    const heads = await table.getByRole('columnheader').allInnerTexts()
    const actions = ['Live', 'Audio', 'History', 'Review', 'Export', 'Download', 'Share', 'Delete']
    expect(heads).toEqual(['Role', 'Cameras', ...actions, 'Limits'])
    const allowedIn = async (role: string) => {
      const texts = await table
        .getByRole('row', { name: new RegExp(`^${role}`) })
        .getByRole('cell')
        .allInnerTexts()
      const marks = texts.slice(1, -1).map((text) => text.replaceAll(/[–\s]+/g, ' ').trim())
      expect(new Set(marks)).toEqual(new Set(marks.filter((mark) => mark === 'allowed' || mark === 'not allowed')))
      return { cameras: texts[0], limits: texts.at(-1), allowed: actions.filter((_, at) => marks[at] === 'allowed') }
    }
    expect(await allowedIn('cleaner')).toEqual({
      cameras: 'Back office',
      limits: 'No time limits.',
      allowed: ['Live'],
    })
    expect((await allowedIn('guard')).allowed).toEqual(actions.slice(0, 6))
    expect((await allowedIn('viewer')).allowed).toEqual(actions.slice(0, 6))
    expect((await allowedIn('admin')).allowed).toEqual(actions)
    await table.getByRole('link', { name: 'cleaner' }).press('Enter')
    await page.getByRole('heading', { name: 'cleaner', level: 1 }).waitFor()

    const phone = await opened('/settings/roles', { viewport: { width: 390, height: 800 } })
    const card = phone.getByRole('listitem').filter({ has: phone.getByRole('link', { name: 'cleaner' }) })
    await card.getByText('Back office').waitFor()
    const listed = await card.getByRole('list', { name: 'Actions' }).getByRole('listitem').allInnerTexts()
    expect(listed.map((text) => text.replaceAll(/[–\s]+/g, ' ').trim())).toEqual([
      'allowed Live',
      ...actions.slice(1).map((action) => `not allowed ${action}`),
    ])
  })

  test('many roles can be searched, in a field right above them', async () => {
    const page = await newPage()
    await page.route('**/api/roles', async (route) => {
      const response = await fetched(route)
      const roles = (await response.json()) as Role[]
      const many = Array.from({ length: 11 }, (_, at) => ({
        ...roles[0],
        builtin: false,
        name: `crew${at}`,
        cameras: ['front_door'],
      }))
      await route.fulfill({ response, json: [...roles, ...many] })
    })
    await openAs(page, service, 'ada', '/settings/roles')
    const [field, table] = [page.getByRole('searchbox', { name: 'Search roles' }), page.getByRole('table')]
    await field.waitFor()
    const [above, below] = [await field.boundingBox(), await table.boundingBox()]
    expect(below!.y - (above!.y + above!.height)).toBeLessThan(40)
    // The column headings stay above the heading of a group that is scrolled below them.
    const heads = table.getByRole('columnheader')
    const headHeight = (await heads.first().boundingBox())!.height
    await page
      .getByRole('region', { name: 'Roles and what they allow' })
      .evaluate((region, top) => region.scrollTo(0, top), headHeight)
    const visible = await Promise.all((await heads.all()).map(isOnScreen))
    expect(visible).toEqual(visible.map(() => true))
    await field.fill('crew7')
    await expect.poll(() => table.getByRole('link').allInnerTexts()).toEqual(['crew7', 'admin', 'viewer'])
    await field.fill('back off')
    await expect.poll(() => table.getByRole('link').allInnerTexts()).toEqual(['cleaner', 'admin', 'viewer'])
  })

  test('[GRANT-1] a changed role leads to what changes and to its button from anywhere in the long form', async () => {
    const page = await opened('/settings/roles/guard', { viewport: { width: 390, height: 800 } })
    const [bar, saving] = ['Review and save', 'Save'].map((name) => page.getByRole('button', { name, exact: true }))
    await page.getByRole('switch', { name: 'Back office' }).click()
    await page.evaluate('scrollTo(0, 0)')
    expect(await isOnScreen(bar!)).toBe(true)
    expect(await isOnScreen(saving!)).toBe(false)
    await bar!.click()
    await bar!.waitFor({ state: 'detached' })
    expect(await isOnScreen(saving!)).toBe(true)
    expect(await isOnScreen(changes(page))).toBe(true)
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Save')
    // In the window, but behind the menu: partly, then whole.
    for (const top of [715, 750]) {
      await saving!.evaluate((button) => button.scrollIntoView({ block: 'center' }))
      await bar!.waitFor({ state: 'detached' })
      await page.evaluate(`scrollBy(0, ${(await saving!.boundingBox())!.y - top})`)
      await bar!.waitFor()
    }
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.evaluate('scrollTo(0, 0)')
    expect(await bar!.count()).toBe(0)
  })

  test.each([390, 1280])('the buttons of a dialog with a long form are always on a screen of %i px', async (width) => {
    const page = await opened('/settings/cameras', { viewport: { width, height: 500 } })
    await page.getByRole('button', { name: 'Add camera' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => isOnScreen(dialog.getByRole('button', { name: 'Save' }))).toBe(true)
    expect(await isOnScreen(dialog.getByRole('switch').last())).toBe(false)
  })

  test('[GRANT-1] actions, days, hours and an end are set in one save, which says before what changes', async () => {
    const page = await opened('/settings/roles/guard')
    await expect.poll(() => words(page).innerText()).toMatch(/^Side yard: watch live with audio, play recordings,/)
    for (const name of ['Audio', 'Export', 'Review', 'Download']) {
      await page.getByRole('checkbox', { name, exact: true }).uncheck()
    }
    await page.getByText('Only recent ones').click()
    await page.getByRole('textbox', { name: 'Days' }).fill('3')
    await page.getByText('Only at certain hours').click()
    await page.getByLabel('Valid until').fill('2040-01-02T12:00')
    await expect
      .poll(() => words(page).innerText())
      .toBe(
        'Side yard: watch live and play the last 3 days. Hours: Monday to Friday from 7:00 AM to 7:00 PM. Valid until Jan 2, 2040, 12:00 PM.',
      )
    const news = await changes(page).innerText()
    expect(news).toContain(
      '1 user will no longer be able to: listen to audio, see review items, export video, and download',
    )
    expect(news).toContain('1 user is affected: gustav.')
    expect(news.replaceAll(/\s+/g, ' ')).toContain(
      'Access times change for 1 user. Before No time limits. After Nothing older than 3',
    )
    await save(page)
    await page.getByText('Role guard saved.').waitFor()
    expect(await roleNow('guard')).toMatchObject({
      cameras: ['side_yard'],
      allow: ['live', 'history'],
      history_days: 3,
      hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00' }],
      valid_from: null,
    })
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)

    await page.getByRole('link', { name: 'All roles' }).click()
    await page
      .getByRole('row', { name: /^guard/ })
      .getByText(/^Nothing older than 3 days. Hours: Monday to Friday .* Valid until Jan 2, 2040, 12:00 PM.$/)
      .waitFor()
  })

  test('[GRANT-1] hours by keyboard: several in a day, across midnight, until midnight', async () => {
    const page = await opened('/settings/roles/night')
    await page.getByRole('radio', { name: 'Always' }).focus()
    await page.keyboard.press('ArrowRight')
    const first = page.getByRole('group', { name: 'Hours 1' })
    await first.getByRole('button', { name: 'Monday' }).focus()
    await page.keyboard.press('Space')
    await first.getByLabel('From').fill('22:00')
    await first.getByLabel('To').fill('06:00')
    await first.getByText('Ends the next day.').waitFor()
    await page.getByRole('button', { name: 'Add hours' }).press('Enter')
    const second = page.getByRole('group', { name: 'Hours 2' })
    await second.getByLabel('To').fill('00:00')
    await expect
      .poll(() => words(page).innerText())
      .toContain(
        'Hours: Tuesday to Friday from 10:00 PM to 6:00 AM the next day and Saturday and Sunday from 10:00 AM to 12:00 AM.',
      )
    await save(page)
    await page.getByText('Role night saved.').waitFor()
    expect((await roleNow('night'))?.['hours']).toEqual([
      { days: ['tue', 'wed', 'thu', 'fri'], from: '22:00', to: '06:00' },
      { days: ['sat', 'sun'], from: '10:00', to: '24:00' },
    ])
    await page.getByRole('button', { name: 'Remove hours 2' }).click()
    await second.waitFor({ state: 'detached' })
    await page.getByText('Always', { exact: true }).click()
    await save(page)
    await expect.poll(async () => (await roleNow('night'))?.['hours']).toEqual([])
  })

  test('[GRANT-1] a role gets a group or all cameras, and the page says which cameras that adds', async () => {
    await service.internal.put('/api/roles/guard', { cameras: ['side_yard'] })
    const page = await opened('/settings/roles/guard')
    await page.getByRole('switch', { name: 'Group outside' }).click()
    await page.getByText('2 of 3 selected').waitFor()
    await page.getByText('1 user gains access to Front door.').waitFor()
    await page.getByRole('switch', { name: /^Side yard/ }).click()
    await save(page)
    await page.getByText('Role guard saved.').waitFor()
    expect((await roleNow('guard'))?.['cameras']).toEqual(['group:outside'])
    await page.getByText(/^outside \(group\): /).waitFor()

    await page.getByRole('switch', { name: 'All cameras' }).click()
    await page.getByText('1 user gains access to Back office.').waitFor()
    await page.getByRole('switch', { name: 'Group outside' }).waitFor({ state: 'detached' })
    await save(page)
    // Saved: nothing changes anymore.
    await page.getByText('1 user gains access to Back office.').waitFor({ state: 'hidden' })
    expect((await roleNow('guard'))?.['cameras']).toEqual(['all'])
    await page.getByRole('switch', { name: 'All cameras' }).click()
    await save(page)
    await page.getByText(/^Select at least one camera, or/).waitFor()
  })

  test('what is changed while a role is saved stays changed, and can be saved', async () => {
    await service.internal.put('/api/roles/guard', { cameras: ['side_yard'], allow: ['live', 'history'] })
    const page = await opened('/settings/roles/guard')
    const { sent, respond } = await held(page, '**/api/roles/guard')
    const history = page.getByRole('checkbox', { name: 'History' })
    const review = page.getByRole('checkbox', { name: 'Review' })
    await history.uncheck()
    await save(page)
    await sent
    await review.check()
    respond()
    await page.getByText('Role guard saved.').waitFor()
    expect([await history.isChecked(), await review.isChecked()]).toEqual([false, true])
    expect(await roleNow('guard')).toMatchObject({ allow: ['live'] })
    await save(page)
    await expect.poll(() => roleNow('guard')).toMatchObject({ allow: ['live', 'review'] })
  })

  test('a role that is chosen while another one is saved for a user stays chosen', async () => {
    await service.user('gwen', 'guard')
    const page = await opened('/settings/users/gwen')
    const { sent, respond } = await held(page, '**/api/users/gwen/role')
    const role = page.getByRole('combobox', { name: 'Role', exact: true })
    const change = page.getByRole('button', { name: 'Change role' })
    await role.selectOption('night')
    await change.click()
    await sent
    await role.selectOption('cleaner')
    respond()
    await page.getByText('gwen is now night.').waitFor()
    await expect.poll(() => change.isEnabled()).toBe(true)
    expect(await role.inputValue()).toBe('cleaner')
    await change.click()
    await page.getByText('gwen is now cleaner.').waitFor()
  })

  test('[GRANT-1] who is affected is said before saving, or that it could not be loaded', async () => {
    await service.internal.put('/api/roles/guard', { cameras: ['side_yard'], allow: ['live', 'history'] })
    const page = await newPage()
    await page.route('**/api/users?*', (route) => route.fulfill({ status: 500, json: {} }))
    await openAs(page, service, 'ada', '/settings/roles/guard')
    const users = page.getByRole('region', { name: 'Users' })
    await users.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByRole('checkbox', { name: 'Share' }).check()
    const again = changes(page).getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute('**/api/users?*')
    await again.click()
    await changes(page)
      .getByText(/affected: gustav/)
      .waitFor()
    await users.getByRole('link', { name: 'gustav' }).waitFor()
  })

  test('[GRANT-1] hours and days that were entered come back after the other choice', async () => {
    const page = await opened('/settings/roles/night')
    const days = page.getByRole('textbox', { name: 'Days' })
    const age = page.getByRole('radiogroup', { name: 'How far back' })
    await age.getByText('Only recent ones').click()
    await days.fill('3')
    await age.getByText('All recordings').click()
    await days.waitFor({ state: 'detached' })
    await age.getByText('Only recent ones').click()
    expect(await days.inputValue()).toBe('3')

    const from = page.getByLabel('From', { exact: true })
    const hours = page.getByRole('radiogroup', { name: 'Hours' })
    await hours.getByText('Only at certain hours').click()
    await from.fill('05:30')
    await page.getByRole('button', { name: 'Add hours' }).click()
    await hours.getByText('Always').click()
    await from.first().waitFor({ state: 'detached' })
    await hours.getByText('Only at certain hours').click()
    expect(
      await from.evaluateAll((fields) => fields.map((field) => (field as unknown as { value: string }).value)),
    ).toEqual(['05:30', '10:00'])
  })

  test('[GRANT-1] a new role waits for the groups, and says if they could not be loaded', async () => {
    const page = await newPage()
    await page.route('**/api/camera-groups', (route) => route.fulfill({ status: 500, json: {} }))
    await openAs(page, service, 'ada', '/settings/roles')
    await page.getByRole('button', { name: 'Add role' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute('**/api/camera-groups')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByRole('switch', { name: 'Group outside' }).waitFor()
  })

  test('[GRANT-1] what another admin changed in between is not overwritten, whichever key it is', async () => {
    const page = await opened('/settings/roles/cleaner')
    await page.getByRole('checkbox', { name: 'History' }).check()
    await service.internal.put('/api/roles/cleaner', { hours: [{ days: ['mon'], from: '08:00', to: '09:00' }] })
    await save(page)
    const alert = page.getByRole('alert').filter({ hasText: 'Changed by someone else' })
    await alert.getByText('Now: Back office: watch live. Hours: Monday from 8:00 AM to 9:00 AM.').waitFor()
    expect(await roleNow('cleaner')).toMatchObject({ allow: ['live'], hours: [{ days: ['mon'] }] })
    await alert.getByRole('button', { name: 'Load current version' }).click()
    await page.getByRole('group', { name: 'Hours 1' }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'History' }).isChecked()).toBe(false)
  })

  test('[GRANT-5] wrong fields are named, and the first gets the focus', async () => {
    await service.internal.put('/api/roles/wrong', { cameras: ['office'], allow: ['live'] })
    const page = await opened('/settings/roles/wrong', { viewport: { width: 390, height: 800 } })
    await page.getByRole('checkbox', { name: 'Live' }).uncheck()
    await page.getByText('Only at certain hours').click()
    await page.getByLabel('To', { exact: true }).fill('07:00')
    await page.getByLabel('Valid from').fill('2040-01-02T12:00')
    await page.getByLabel('Valid until').fill('2040-01-01T12:00')
    await save(page)
    await page.getByText('Select at least one action, or delete the role instead.').waitFor()
    await page.getByText('Enter two different times.').waitFor()
    await page.getByText('The end must be after the start.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('allow')
    expect(await roleNow('wrong')).toMatchObject({ allow: ['live'], hours: [] })
  })

  test('[GRANT-1] a half-typed end is not saved as none', async () => {
    const until = { cameras: ['office'], allow: ['live'], valid_until: '2040-01-01T12:00:00Z' }
    await service.internal.put('/api/roles/until', until)
    const page = await opened('/settings/roles/until', { timezoneId: 'UTC' })
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.url())
    })
    const field = page.getByLabel('Valid until')
    await field.focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Backspace']) await page.keyboard.press(key)
    await save(page)
    await page.getByText(incomplete).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('valid_until')
    expect(sent).toEqual([])
    await field.fill('2041-01-01T12:00')
    await save(page)
    await page.getByText('Role until saved.').waitFor()
    expect(sent).toHaveLength(1)
    expect(await roleNow('until')).toMatchObject({ valid_until: '2041-01-01T12:00:00.000Z' })
  })

  test('[ROLE-7] deleting a role says which actions its users gain and lose, and which limits end', async () => {
    const limits = { history_days: 3, valid_until: '2040-01-01T12:00:00Z' }
    await service.internal.put('/api/roles/short', { cameras: ['office'], allow: ['live', 'share'], ...limits })
    await service.user('sam', 'short')
    const page = await opened('/settings/roles/short')
    await page.getByRole('button', { name: 'Delete role' }).click()
    const reported = page.getByTestId('consequences')
    await reported.getByText('They will also be able to: listen to audio, play recordings, see review items,').waitFor()
    await reported.getByText('They will no longer be able to: share video.').waitFor()
    await reported.getByText(/^These limits no longer apply: Nothing older than 3 days. Valid until/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  test('[GRANT-1] a change of a role without users, or of one that a proxy gives, says so', async () => {
    await service.internal.put('/api/roles/empty', { cameras: ['office'], allow: ['live'] })
    const page = await opened('/settings/roles/empty')
    expect(await changes(page).innerText()).toBe('')
    await page.getByRole('checkbox', { name: 'History' }).check()
    await changes(page).getByText('No users have this role, so no access changes.').waitFor()
    await page.route('**/api/profile', async (route) => {
      const response = await fetched(route)
      const profile = (await response.json()) as object
      await route.fulfill({ response, json: { ...profile, sign_in_methods: ['proxy'] } })
    })
    await page.goto(`${service.gate.base}/settings/roles/empty`)
    await page.getByRole('checkbox', { name: 'History' }).check()
    await changes(page).getByText('Users who get this role from your proxy are affected too.').waitFor()
    await changes(page).getByText('Gained: play recordings.').waitFor()
  })

  test('[GRANT-4] the access preview of a time says why a role shows nothing then', async () => {
    const limits = { valid_until: '2040-01-01T00:00:00Z', history_days: 3, hours: [] }
    await service.internal.put('/api/roles/guard', limits)
    const page = await opened('/settings/access')
    await page.getByRole('combobox', { name: 'User' }).fill('gus')
    await page.getByRole('option', { name: 'gustav' }).click()
    const outcome = page.getByRole('status', { name: 'Result' })
    await outcome.getByText('Recordings up to 3 days old.').waitFor()
    await page.getByLabel('Time').fill('2041-01-01T00:00')
    await outcome.getByText('The role is no longer valid: signed in, but sees nothing.').waitFor()
    await outcome.getByText('No camera access').waitFor()
    // Half a time is not now.
    await page.getByLabel('Time').focus()
    await page.keyboard.press('Backspace')
    await expect.poll(() => outcome.innerText()).toBe('')
    await page.keyboard.press('Shift+Tab')
    await page.getByText(incomplete).waitFor()
    await page.getByRole('combobox', { name: 'User' }).fill('ada')
    await page.getByRole('option', { name: 'ada' }).click()
    expect(await outcome.innerText()).toBe('')
    await page.getByLabel('Time').fill('2039-01-01T00:00')
    await outcome.getByText('ada has the role admin').waitFor()
    expect(await page.getByText(incomplete).count()).toBe(0)
  })

  test('[ROLE-6] the live view of a group shows its cameras, and the URL names it', async () => {
    const page = await opened('/')
    const tiles = page.locator('li [data-camera]')
    await expect.poll(() => tiles.count()).toBe(3)
    await page.getByRole('navigation', { name: 'Camera groups' }).getByRole('link', { name: 'outside' }).click()
    await expect.poll(() => tiles.count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?group=outside')
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await expect.poll(() => tiles.count()).toBe(3)
  })
})
