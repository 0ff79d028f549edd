import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { changeDatabase } from '../server/test/support/service-database.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import { signedIn } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  door: { source: 'demo:door', title: 'Front door', enabled: false },
}

const day = 86_400_000

/** Seconds of live video of cameras, by users, and days since. */
const watched = [
  ['ann', 'yard', 3_725, 1],
  ['ann', 'door', 30, 1],
  ['ben', 'door', 7_200, 2],
  ['ben', 'yard', 60, 40],
] as const

const rowsOf = (page: Page, table: string) => page.getByRole('region', { name: table }).locator('tbody tr')
const entries = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem')

describe.skipIf(!executablePath)('sums of viewing', () => {
  let service: InProcessService

  beforeAll(async () => {
    service = await startService({ config: { tls: { enabled: false }, audit: { reads: true }, cameras } })
    for (const name of ['ann', 'ben', 'cem']) await service.user(name)
    await service.user('boss', 'admin')
    await changeDatabase(service, (database) => {
      const insert = database.prepare(
        `insert into audit (at, action, result, user, user_key, owner, auth_method, target, camera, duration)
         select ?, 'watch', 'success', ?, ?, 'id ' || (select id from user where key = ?), 'password', ?,
           (select key from camera where name = ?), ?`,
      )
      for (const [user, camera, seconds, days] of watched) {
        insert.run(Date.now() - days * day, user, user, user, camera, camera, seconds * 1000)
      }
    })
  })
  afterAll(stopAll)

  test('[AUD-8] an admin sees the sums by user and by camera, and the entries of each', async () => {
    const page = await signedIn(service, 'boss', '/settings/audit')
    await page.getByText('By user').click()
    const users = rowsOf(page, 'Viewing by user')
    await expect
      .poll(() => users.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^ben\s+2 hours\s+1 time\b/),
        expect.stringMatching(/^ann\s+1 hour 2 minutes\s+2 times/),
      ])
    expect(page.url()).toMatch(/\/settings\/audit\?view=users$/)
    await page.getByLabel('Time range').selectOption('Any time')
    await expect.poll(() => users.first().innerText()).toMatch(/^ben\s+2 hours 1 minute\s+2 times/)
    await page.getByLabel('Sort by').selectOption('Name')
    await expect.poll(() => users.first().innerText()).toMatch(/^ann/)
    expect(page.url()).toMatch(/view=users&sort=name&period=all/)

    await users.getByRole('link', { name: 'ben' }).click()
    await expect.poll(() => entries(page).count()).toBe(2)
    expect(await page.getByRole('combobox', { name: 'User' }).inputValue()).toBe('ben')
    await page.goBack()
    await page.getByText('By camera').click()
    await rowsOf(page, 'Viewing by camera').first().waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^gatehouse-cameras .*\.csv$/)
    expect((await readFile(await file.path(), 'utf8')).split('\r\n').slice(0, 2)).toEqual([
      '\ufeffCamera,Live video,"Live video, seconds",Recordings,"Recordings, seconds",Snapshots,Downloads,Exports,Share links',
      'Front door,2,7230,0,0,0,0,0,0',
    ])
    await rowsOf(page, 'Viewing by camera').getByRole('link', { name: 'Side yard' }).click()
    await expect.poll(() => entries(page).count()).toBe(2)
    expect(new URL(page.url()).searchParams.get('camera')).toBe('yard')
    await page.getByLabel('Camera', { exact: true }).selectOption('Front door')
    await page.getByLabel('Time range').selectOption('Last 24 hours')
    await page.getByText('No entries match your filters.').waitFor()
  })

  test('[AUD-6] users see their own sums by camera', async () => {
    const page = await signedIn(service, 'ben', '/account/activity')
    const sums = page.getByRole('list', { name: 'By camera, last 30 days' }).getByRole('listitem')
    await expect.poll(() => sums.allInnerTexts()).toEqual(['Front door\nLive video: 2 hours (1 time)'])
    const other = await signedIn(service, 'cem', '/account/activity')
    await other.getByText('No entries').waitFor()
    expect(await other.getByText('By camera, last 30 days').count()).toBe(0)
  })

  test('[AUD-6] the filter of their own entries stays while they load, and if that fails', async () => {
    const page = await signedIn(service, 'ben', '/account/activity')
    const filter = page.getByLabel('Camera', { exact: true })
    await filter.waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/account/reads?*camera=yard*', async (route) => {
      await answered.promise
      await route.fulfill({ status: 500, json: {} })
    })
    await filter.focus()
    await filter.selectOption('Side yard')
    expect(await filter.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    await page.getByRole('list', { name: 'By camera, last 30 days' }).waitFor()
    answered.resolve()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await filter.selectOption('Front door')
    await page.getByText('End of list').waitFor()
    await filter.selectOption('All cameras')
    await page.getByText('End of list').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  test('[AUD-8] an admin is told how to record viewing', async () => {
    const page = await signedIn(service, 'boss', '/settings/audit?view=cameras&period=hour')
    await page.getByText('Choose a longer time range.').waitFor()
    await page.route('**/api/audit/summary?*', (route) => route.fulfill({ json: { recorded: false, rows: [] } }))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('Set audit.reads to true').waitFor()
    await page.getByRole('link', { name: 'Open configuration' }).click()
    await page.getByRole('heading', { name: 'Configuration', level: 1 }).waitFor()
  })
})
