import type { Page } from 'playwright-core'
import { heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'
import { fetched } from '../fetched.ts'

interface Role {
  readonly name: string
  readonly builtin: boolean
  readonly cameras: readonly string[]
}

/** Mocks other roles than those of the service. */
const withRoles = (change: (roles: readonly Role[]) => readonly object[]) => (page: Page) =>
  page.route('**/api/roles', async (route) => {
    const response = await fetched(route)
    await route.fulfill({ response, json: change((await response.json()) as Role[]) })
  })

const withNightGuard = (change: (role: Role) => object) =>
  withRoles((roles) => roles.map((role) => (role.name === 'night_guard' ? { ...role, ...change(role) } : role)))

/** A role that listed a camera before it was added. */
const withholding = withNightGuard(({ cameras }) => ({ withheld: cameras.slice(0, 1) }))

const limited = withNightGuard(() => ({
  allow: ['live', 'history', 'share'],
  history_days: 3,
  hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '19:00', to: '07:00' }],
  valid_until: '2090-01-01T12:00:00Z',
}))

const builtinOnly = withRoles((roles) => roles.filter(({ builtin }) => builtin))

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
    name: 'role-users-failed',
    who: 'ada',
    path: '/settings/roles/night_guard',
    before: (page) => page.route('**/api/users?*', (route) => route.fulfill({ status: 400, json: {} })),
    async reach(page) {
      await page.getByRole('switch', { name: 'Back office' }).click()
      await page.getByTestId('changes').getByRole('button', { name: 'Try again' }).waitFor()
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
  {
    name: 'role-saves',
    who: 'ada',
    path: '/settings/roles/night_guard',
    async reach(page) {
      await page.getByRole('switch', { name: 'Back office' }).click()
      await page.getByRole('switch', { name: 'Side yard' }).click()
      await page.getByRole('checkbox', { name: 'Share' }).check()
      await page.getByRole('checkbox', { name: 'Audio' }).uncheck()
      await page.getByText('Only recent ones').click()
      await page.getByText(/Access times change/).waitFor()
    },
  },
  {
    name: 'roles-limited',
    who: 'ada',
    path: '/settings/roles',
    before: limited,
    reach: serialized(heading('Roles'), text(/^Nothing older than 3 days/)),
  },
  {
    name: 'roles-none',
    who: 'ada',
    path: '/settings/roles',
    before: builtinOnly,
    reach: serialized(heading('Roles'), text('No custom roles yet')),
  },
  {
    name: 'role-delete-limited',
    who: 'ada',
    path: '/settings/roles/night_guard',
    before: limited,
    reach: serialized(press('Delete role'), text(/^These limits no longer apply/)),
  },
  { name: 'role-built-in', who: 'ada', path: '/settings/roles/viewer', reach: heading('viewer') },
  {
    name: 'role-delete',
    who: 'ada',
    path: '/settings/roles/night_guard',
    reach: serialized(press('Delete role'), (page) => page.getByTestId('consequences').waitFor()),
  },
]
