import type { Page } from 'playwright-core'
import { button, dialog, heading, press, serialized, text, type PageState } from './page-state.ts'

const id = (digit: string) => digit.repeat(32)
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

const tokens = [
  {
    id: id('1'),
    name: 'Home Assistant',
    owner: 'ada',
    cameras: ['front_door', 'side_yard'],
    actions: ['live', 'audio'],
    created_at: inDays(-20),
    expires_at: inDays(70),
    ends_with_password: true,
    parent: null,
    last_used_at: inDays(0),
    last_used_from: '192.0.2.17',
  },
  {
    id: id('2'),
    name: 'Prometheus in the rack next to the window',
    owner: 'ada',
    cameras: null,
    actions: ['system.read'],
    created_at: inDays(-200),
    expires_at: null,
    ends_with_password: false,
    parent: null,
    last_used_at: null,
    last_used_from: null,
  },
  {
    id: id('3'),
    name: 'Kitchen tablet',
    owner: 'maximiliane.oberhuber-schwarzenbach@example.org',
    cameras: [],
    actions: null,
    created_at: inDays(-400),
    expires_at: inDays(-35),
    ends_with_password: true,
    parent: null,
    last_used_at: inDays(-36),
    last_used_from: '2001:db8::17',
  },
]

const withTokens = (page: Page) => page.route('**/api/tokens', (route) => route.fulfill({ json: tokens }))
const withAllTokens = (json: object) => (page: Page) =>
  page.route('**/api/tokens/all', (route) => route.fulfill({ json }))
const creating = (page: Page) =>
  page.route('**/api/tokens', (route) =>
    route.fulfill({ status: 201, json: { ...tokens[0], token: `gh_${id('1')}_${'a1B2c3D4'.repeat(6).slice(0, 43)}` } }),
  )

/** One's own API tokens, and those of all users. */
export const tokensPages: readonly PageState[] = [
  {
    name: 'tokens',
    who: 'ada',
    path: '/account/tokens',
    before: withTokens,
    reach: serialized(heading('API tokens'), text('Kitchen tablet')),
  },
  { name: 'tokens-none', who: 'nina', path: '/account/tokens', reach: text('No API tokens yet') },
  {
    name: 'tokens-failed',
    who: 'nina',
    path: '/account/tokens',
    before: (page) => page.route('**/api/tokens', (route) => route.fulfill({ status: 500 })),
    reach: text('Try again'),
  },
  {
    name: 'tokens-revoke',
    who: 'ada',
    path: '/account/tokens',
    before: withTokens,
    reach: serialized(
      (page) => button(page, 'Revoke Home Assistant').click(),
      (page) => dialog(page).waitFor(),
    ),
  },
  { name: 'tokens-new', who: 'nina', path: '/account/tokens/new', reach: heading('Create an API token') },
  {
    name: 'tokens-new-service',
    who: 'ada',
    path: '/account/tokens/new?name=Prometheus&actions=system.read&expires=never',
    reach: serialized(heading('Create an API token'), text('View system status')),
  },
  {
    name: 'tokens-new-unavailable',
    who: 'nina',
    path: '/account/tokens/new?name=Wall&cameras=side_yard,office&actions=live,delete&expires=2020-01-01',
    reach: text('Not everything in this link is available to you'),
  },
  {
    name: 'tokens-new-wrong',
    who: 'ada',
    path: '/account/tokens/new?cameras=&actions=&expires=1d',
    reach: serialized(
      (page) => page.getByLabel('Expires at').fill(''),
      press('Create token'),
      text('Select at least one camera.'),
    ),
  },
  {
    name: 'tokens-created',
    who: 'ada',
    path: '/account/tokens/new?name=Home%20Assistant',
    before: creating,
    reach: serialized(press('Create token'), text('Shown only once')),
  },
  {
    name: 'tokens-all',
    who: 'ada',
    path: '/settings/tokens',
    before: withAllTokens({ tokens, cursor: null }),
    reach: serialized(heading('API tokens'), text('Kitchen tablet')),
  },
  {
    name: 'tokens-all-none',
    who: 'ada',
    path: '/settings/tokens',
    before: withAllTokens({ tokens: [], cursor: null }),
    reach: text('No API tokens yet'),
  },
]
