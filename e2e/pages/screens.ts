import type { BrowserContext, Page } from 'playwright-core'
import { pairScreen, type NewScreen } from '../../server/test/support/pair-screen.ts'
import type { SeededService } from '../seeded-service.ts'
import { button, dialog, heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'

/** Pairs a screen, and gives the browser its cookie. @returns the screen's id */
export async function pairBrowser(
  context: BrowserContext,
  { service }: Pick<SeededService, 'service'>,
  screen: NewScreen,
): Promise<string> {
  const { id, client } = await pairScreen(service, screen)
  const [name = '', value = ''] = String(client.headers['cookie']).split('=')
  await context.addCookies([{ name, value, url: service.gate.base, secure: service.gate.base.startsWith('https:') }])
  return id
}

/** Mocks the list of screens. */
const withScreens = (page: Page) =>
  page.route('**/api/screens', (route) =>
    route.fulfill({
      json: [
        {
          id: '0'.repeat(32),
          name: 'Reception',
          cameras: ['front_door', 'side_yard', 'loading_bay'],
          audio: false,
          layout: { columns: 2, cameras_per_page: null, rotate_seconds: 15, dim: { from: '22:00', until: '06:00' } },
          confirmed_by: 'ada',
          created_at: '2026-01-01T08:00:00Z',
          last_seen_at: new Date().toISOString(),
          address: '192.0.2.40',
          ended: false,
        },
        {
          id: '1'.repeat(32),
          name: 'Workshop, next to the big roller door',
          cameras: ['loading_bay'],
          audio: true,
          layout: { columns: null, cameras_per_page: 1, rotate_seconds: 30, dim: null },
          confirmed_by: 'ada',
          created_at: '2026-01-02T08:00:00Z',
          last_seen_at: null,
          address: null,
          ended: false,
        },
        {
          id: '2'.repeat(32),
          name: 'Lobby',
          cameras: ['front_door'],
          audio: false,
          layout: { columns: null, cameras_per_page: null, rotate_seconds: 15, dim: null },
          confirmed_by: 'ada',
          created_at: '2026-01-03T08:00:00Z',
          last_seen_at: '2026-02-03T08:00:00Z',
          address: '192.0.2.41',
          ended: true,
        },
      ],
    }),
  )

/** Mocks a code, which is another one each time. */
const withCode = (page: Page) =>
  page.route('**/api/pairings', (route) =>
    route.fulfill({
      status: 201,
      json: { id: 'a', code: 'TQ7HKX4M', expires_at: new Date(Date.now() + 600_000).toISOString() },
    }),
  )

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

const waitingDisplay = (page: Page) =>
  page.route('**/api/pairings/find', (route) => {
    const userAgent = 'Mozilla/5.0 (X11; Linux aarch64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
    const times = { requested_at: at(-65), expires_at: at(535) }
    return route.fulfill({ json: { address: '192.0.2.40', user_agent: userAgent, ...times } })
  })

/** Browsers are shared by the pages of a user. */
const unpair = async (page: Page) => {
  await page.context().clearCookies({ name: 'gatehouse_screen' })
  await page.addInitScript(`localStorage.removeItem('gatehouse-screen')`)
}

const wasPaired = (page: Page) => page.addInitScript(`localStorage.setItem('gatehouse-screen', 'true')`)

const openAdd = serialized(press('Add screen'), (page) => dialog(page).getByLabel('Code').fill('tq7h kx4m'))

/** Paired screens, and their settings. */
export const screensPages: readonly PageState[] = [
  {
    name: 'pair',
    who: 'signed-out',
    path: '/pair',
    async before(page) {
      await withCode(page)
      await page.route('**/api/pairings/a', (route) => route.fulfill({ status: 202 }))
    },
    reach: text('TQ7H'),
  },
  {
    name: 'pair-unreachable',
    who: 'signed-out',
    path: '/pair',
    before: (page) => page.route('**/api/pairings', (route) => route.abort()),
    reach: text('Retrying…'),
  },
  {
    name: 'screen',
    who: 'signed-out',
    path: '/screen',
    before: (page, at) =>
      pairBrowser(page.context(), at, {
        name: 'Reception',
        cameras: ['side_yard', 'front_door', 'barn', 'north_gate'],
      }),
    reach: (page) => page.locator('[data-camera="barn"][data-state="offline"]').waitFor(),
  },
  {
    name: 'screen-unpaired',
    who: 'signed-out',
    path: '/screen',
    ownTab: true,
    before: unpair,
    reach: text('This display isn’t paired'),
  },
  {
    name: 'screen-removed',
    who: 'signed-out',
    path: '/screen',
    ownTab: true,
    before: serialized(unpair, wasPaired),
    reach: text('This screen is no longer paired'),
  },
  { name: 'screen-signed-in', who: 'ada', path: '/screen', reach: text('A user is signed in on this display') },
  {
    name: 'screens',
    who: 'ada',
    path: '/settings/screens',
    before: withScreens,
    reach: serialized(heading('Screens'), text('Never connected')),
  },
  {
    name: 'screens-none',
    who: 'ada',
    path: '/settings/screens',
    before: (page) => page.route('**/api/screens', (route) => route.fulfill({ json: [] })),
    reach: text('No screens yet'),
  },
  {
    name: 'screens-add',
    who: 'ada',
    path: '/settings/screens',
    reach: serialized(press('Add screen'), pressIn('Continue'), text('Enter the code that the display shows.')),
  },
  {
    name: 'screens-confirm',
    who: 'ada',
    path: '/settings/screens',
    before: waitingDisplay,
    reach: serialized(
      openAdd,
      pressIn('Continue'),
      text('Is this your display?'),
      pressIn('Add screen'),
      text('Enter a name.'),
    ),
  },
  {
    name: 'screens-edit',
    who: 'ada',
    path: '/settings/screens',
    before: withScreens,
    reach: serialized((page) => button(page, 'Edit Reception').click(), text('Dim at certain hours')),
  },
  {
    name: 'screens-remove',
    who: 'ada',
    path: '/settings/screens',
    before: withScreens,
    reach: serialized((page) => button(page, 'Remove Reception').click(), text('Remove Reception?')),
  },
]
