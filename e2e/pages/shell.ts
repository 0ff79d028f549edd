import type { Page } from 'playwright-core'
import { button, heading, type PageState } from './page-state.ts'
import { fetched } from '../fetched.ts'

/** Mocks the role of the user, which the seeded roles don't limit. */
export const limitedTo = (limits: object) => (page: Page) =>
  page.route('**/api/profile', async (route) => {
    const response = await fetched(route)
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...limits } })
  })

/** What any page can show: denied, not found, without a service. */
export const shellPages: readonly PageState[] = [
  {
    name: 'settings',
    who: 'ada',
    path: '/settings',
    reach: heading(/^(Settings|Users)$/),
    onDesk: heading('Users'),
  },
  { name: 'denied', who: 'nina', path: '/settings', reach: heading('Access denied') },
  { name: 'not-found', who: 'nina', path: '/no/such/page', reach: heading(/./) },
  {
    name: 'suspended',
    who: 'nina',
    ownLoad: true,
    path: '/',
    before: limitedTo({ actions: [], allowed_cameras: [], suspended: 'hours' }),
    reach: heading('Outside your hours'),
  },
  {
    name: 'no-live',
    who: 'nina',
    path: '/',
    before: limitedTo({ actions: ['history', 'review', 'export'] }),
    reach: heading('No live video'),
  },
  {
    name: 'service-away',
    who: 'nina',
    ownLoad: true,
    path: '/',
    before: (page) => page.route('**/api/**', (route) => route.abort()),
    reach: (page) => button(page, 'Try again').waitFor(),
  },
  {
    name: 'service-unreachable-later',
    who: 'ada',
    mocksLater: true,
    path: '/settings/users',
    async reach(page) {
      await page.getByText('vera').first().waitFor()
      await page.route('**/api/users?*', (route) => route.abort())
      await page
        .getByRole('link', { name: 'Roles' })
        .or(page.getByRole('link', { name: 'Settings' }))
        .first()
        .click()
      await page.goBack()
      await page.getByText('vera').first().waitFor()
    },
  },
]
