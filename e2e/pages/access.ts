import { createToken } from '../../server/test/support/create-token.ts'
import { makeLink } from '../../server/test/support/make-link.ts'
import { button, heading, serialized, type PageState } from './page-state.ts'

/** The access page. */
export const accessPages: readonly PageState[] = [
  {
    name: 'access',
    who: 'ada',
    path: '/settings/access',
    reach: serialized(heading('Access'), (page) =>
      page.getByRole('list', { name: 'Access by camera' }).or(page.locator('tbody')).waitFor(),
    ),
  },
  {
    name: 'access-tried',
    who: 'ada',
    path: '/settings/access',
    async reach(page) {
      await page.getByRole('combobox', { name: 'User' }).fill('gus')
      await page.getByRole('option', { name: 'gustav' }).click()
      await page.getByRole('status', { name: 'Result' }).getByText('night_guard').first().waitFor()
    },
  },
  {
    name: 'access-token',
    who: 'ada',
    path: '/settings/access',
    before: async (_page, { service }) => createToken(await service.user('vera'), { name: 'Hallway panel' }),
    async reach(page) {
      await page.getByText('API token', { exact: true }).click()
      await page.getByRole('combobox', { name: 'API token' }).click()
      await page.getByRole('option', { name: 'Hallway panel (vera)' }).first().click()
      await page.getByRole('status', { name: 'Result' }).getByText('within the limits').waitFor()
    },
  },
  {
    name: 'access-link',
    who: 'ada',
    path: '/settings/access',
    before: async (_page, { service }) =>
      makeLink(await service.user('ada', 'admin'), { kind: 'live', camera: 'front_door', note: 'For the plumber' }),
    async reach(page) {
      await page.getByText('Share link', { exact: true }).click()
      await page.getByRole('combobox', { name: 'Share link' }).click()
      await page
        .getByRole('option', { name: /For the plumber · ada$/ })
        .first()
        .click()
      await page.getByRole('status', { name: 'Result' }).getByText('within the limits').waitFor()
    },
  },
  {
    name: 'access-headers',
    who: 'ada',
    path: '/settings/access',
    async reach(page) {
      await page.getByText('Proxy headers', { exact: true }).click()
      await page.getByLabel('Headers', { exact: true }).fill('X-Forwarded-Groups: sysadmins')
      await button(page, 'Preview').click()
      await page.getByText('Not recognized').waitFor()
    },
  },
]
