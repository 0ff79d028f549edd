import type { Page } from 'playwright-core'
import { heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'

/** Mocks a role that listed a camera before it was added. */
const withholding = (page: Page) =>
  page.route('**/api/roles', async (route) => {
    const response = await route.fetch()
    const roles = (await response.json()) as { name: string; cameras: string[] }[]
    const json = roles.map((role) =>
      role.name === 'night_guard' ? { ...role, withheld: role.cameras.slice(0, 1) } : role,
    )
    await route.fulfill({ response, json })
  })

/** Roles. */
export const rolesPages: readonly PageState[] = [
  { name: 'roles', who: 'ada', path: '/settings/roles', reach: serialized(heading('Roles'), text('night_guard')) },
  {
    name: 'roles-add',
    who: 'ada',
    path: '/settings/roles',
    reach: serialized(press('Add role'), pressIn('Add role'), text('Select at least one camera.')),
  },
  {
    name: 'role',
    who: 'ada',
    path: '/settings/roles/night_guard',
    reach: serialized(heading('night_guard'), text('gustav')),
  },
  {
    name: 'role-withheld',
    who: 'ada',
    path: '/settings/roles/night_guard',
    before: withholding,
    reach: serialized(heading('night_guard'), text('Not granted yet')),
  },
  {
    name: 'role-changed',
    who: 'ada',
    path: '/settings/roles/night_guard',
    async reach(page) {
      await page.getByRole('switch', { name: 'Back office' }).click()
      await page.getByText(/users? gains? access/).waitFor()
    },
  },
  {
    name: 'role-limited',
    who: 'ada',
    path: '/settings/roles/night_guard',
    async reach(page) {
      await page.getByText('Only recent ones').click()
      await page.getByText('Only at certain hours').click()
      await press('Add hours')(page)
      await page.getByRole('group', { name: 'Hours 2' }).waitFor()
    },
  },
  {
    name: 'role-problems',
    who: 'ada',
    path: '/settings/roles/night_guard',
    async reach(page) {
      await page.getByRole('switch', { name: 'All cameras' }).click()
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
      await page.getByText('Only at certain hours').click()
      await page.getByLabel('To', { exact: true }).fill('')
      await press('Save')(page)
      await page.getByText('Enter two different times.').waitFor()
    },
  },
  { name: 'role-built-in', who: 'ada', path: '/settings/roles/viewer', reach: heading('viewer') },
  {
    name: 'role-delete',
    who: 'ada',
    path: '/settings/roles/night_guard',
    reach: serialized(press('Delete role'), (page) => page.getByTestId('consequences').waitFor()),
  },
]
