import type { Page } from 'playwright-core'
import { dialog, heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'
import { fetched } from '../fetched.ts'

/** Mocks a role that is missing from config.yml. */
const withoutNightGuard = async (page: Page) => {
  await page.route('**/api/roles', async (route) => {
    const response = await fetched(route)
    const roles = (await response.json()) as { name: string }[]
    await route.fulfill({ response, json: roles.filter(({ name }) => name !== 'night_guard') })
  })
  await page.route('**/api/users?orphaned=true*', async (route) => {
    const url = route.request().url().replace('orphaned=true', 'role=night_guard')
    await route.fulfill({ response: await fetched(route, { url }) })
  })
}

/** Mocks users who are disabled, have expired or will expire. */
const withStatuses = async (page: Page) => {
  const statuses: Readonly<Record<string, object>> = {
    vera: { disabled: true },
    gustav: { expires_at: '2020-01-01T12:00:00Z' },
    yusuf: { expires_at: '2090-01-01T12:00:00Z' },
  }
  const changed = <U extends { username: string }>(user: U): U => ({ ...user, ...statuses[user.username] })
  await page.route(/\/api\/users(\?|\/vera$)/, async (route) => {
    const response = await fetched(route)
    const found = (await response.json()) as { username: string } | { username: string }[]
    await route.fulfill({ response, json: Array.isArray(found) ? found.map(changed) : changed(found) })
  })
}

/** Users. */
export const usersPages: readonly PageState[] = [
  { name: 'users', who: 'ada', path: '/settings/users', reach: serialized(heading('Users'), text('vera')) },
  {
    name: 'users-orphaned',
    who: 'ada',
    path: '/settings/users',
    before: withoutNightGuard,
    reach: serialized(heading('Users'), text(/have a role that doesn’t exist/)),
  },
  {
    name: 'users-reassign',
    who: 'ada',
    path: '/settings/users',
    before: withoutNightGuard,
    reach: serialized(heading('Users'), press('Reassign users of night_guard'), (page) =>
      dialog(page).getByRole('combobox', { name: 'Role' }).waitFor(),
    ),
  },
  {
    name: 'users-none',
    who: 'ada',
    path: '/settings/users',
    async reach(page) {
      await page.getByRole('searchbox', { name: 'Search users' }).fill('no such user')
      await page.getByText('No matching users').waitFor()
    },
  },
  {
    name: 'users-add',
    who: 'ada',
    path: '/settings/users',
    reach: serialized(press('Add user'), pressIn('Add user'), text('Enter a username.')),
  },
  {
    name: 'user',
    who: 'ada',
    path: '/settings/users/gustav',
    reach: serialized(heading('gustav'), text('Unknown device')),
  },
  { name: 'user-self', who: 'ada', path: '/settings/users/ada', reach: heading('ada') },
  {
    name: 'user-delete',
    who: 'ada',
    path: '/settings/users/vera',
    reach: serialized(press('Delete user'), text('Delete vera?')),
  },
  {
    name: 'user-disable',
    who: 'ada',
    path: '/settings/users/vera',
    reach: serialized(press('Disable user'), text('Disable vera?')),
  },
  {
    name: 'user-disabled',
    who: 'ada',
    path: '/settings/users/vera',
    before: withStatuses,
    reach: serialized(heading('vera'), text('vera is disabled and can’t sign in.')),
  },
  {
    name: 'user-expiry-past',
    who: 'ada',
    path: '/settings/users/vera',
    async reach(page) {
      await page.getByLabel('Expires at').fill('2020-01-01T12:00')
      await press('Save expiry')(page)
      await page.getByText(/^This time is in the past/).waitFor()
    },
  },
  {
    name: 'users-statuses',
    who: 'ada',
    path: '/settings/users',
    before: withStatuses,
    reach: serialized(heading('Users'), text('Disabled'), text('Expired')),
  },
  { name: 'user-missing', who: 'ada', path: '/settings/users/no_such', reach: heading('User not found') },
]
