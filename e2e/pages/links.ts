import type { Page } from 'playwright-core'
import type { LinkCreated } from '../../server/src/auth/share-link/share-link-schema.ts'
import { someLinks, withCreated, withLinks } from '../link-fixtures.ts'
import { daysAgo, type SeededService } from '../seeded-service.ts'
import { dialog, heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'

const shareDialog = (page: Page) => dialog(page).getByLabel('Expires in').waitFor()

/** Recorded yesterday: see seeded-service.ts. Unix seconds. */
const range = { start: daysAgo(1) + 9 * 3600 }

/** A page on which the service refuses the link. */
const refused = (name: string, title: string, status: number, reason: string, retryAfter?: string): PageState => ({
  name: `shared-${name}`,
  who: 'signed-out',
  path: '/s/00000000000000000000000000000000#secret',
  before: (page) =>
    page.route('**/api/links/*/open', (route) =>
      route.fulfill({
        status,
        json: { code: 'gone', reason: { code: reason } },
        ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
      }),
    ),
  reach: heading(title),
})

/** Opens a link that was just created. */
const openLink = (link: object) => async (page: Page, at: SeededService) => {
  const ada = at.service.gate.with({ cookie: `gatehouse_token=${await at.tokenOf('ada')}` })
  const { json } = await ada.post('/api/links', link)
  await page.goto((json as LinkCreated).url)
}

/** Share links: their lists, the dialog that creates one, and their own page. */
export const linksPages: readonly PageState[] = [
  { name: 'links', who: 'ada', path: '/account/links', before: withLinks(someLinks), reach: text('For the plumber') },
  { name: 'links-empty', who: 'ada', path: '/account/links', before: withLinks([]), reach: text('No share links') },
  {
    name: 'links-revoke',
    who: 'ada',
    path: '/account/links',
    before: withLinks(someLinks),
    reach: serialized(press('Revoke the link to Side yard'), (page) => dialog(page).waitFor()),
  },
  { name: 'links-all', who: 'ada', path: '/settings/links', before: withLinks(someLinks), reach: text('by vera') },
  {
    name: 'links-all-empty',
    who: 'ada',
    path: '/settings/links',
    before: withLinks([]),
    reach: text('No share links'),
  },
  {
    name: 'links-all-none',
    who: 'ada',
    path: '/settings/links?user=gustav',
    before: withLinks(someLinks),
    reach: text('gustav has no share links'),
  },
  {
    name: 'share',
    who: 'ada',
    path: '/cameras/front_door',
    reach: serialized(press('Share'), shareDialog),
  },
  {
    name: 'share-wrong',
    who: 'ada',
    path: '/cameras/front_door',
    reach: serialized(
      press('Share'),
      (page) => dialog(page).getByLabel('Code').fill('12'),
      pressIn('Create link'),
      text('At least 6 characters.'),
    ),
  },
  {
    name: 'share-created',
    who: 'ada',
    path: '/cameras/front_door',
    before: withCreated,
    reach: serialized(
      press('Share'),
      (page) => dialog(page).getByLabel('Code').fill('harbor 4711'),
      pressIn('Create link'),
      text('Send the code separately'),
    ),
  },
  {
    name: 'shared-live',
    who: 'signed-out',
    path: '/s/00000000000000000000000000000000',
    reach: serialized(openLink({ kind: 'live', camera: 'front_door' }), (page) =>
      page.locator('[data-state="playing"]').waitFor(),
    ),
  },
  {
    name: 'shared-live-offline',
    who: 'signed-out',
    path: '/s/00000000000000000000000000000000',
    reach: serialized(openLink({ kind: 'live', camera: 'barn' }), text('The camera is offline.')),
  },
  {
    name: 'shared-range',
    who: 'signed-out',
    path: '/s/00000000000000000000000000000000',
    reach: serialized(
      openLink({ kind: 'history', camera: 'side_yard', start: range.start, end: range.start + 90, download: true }),
      (page) => page.locator('[data-recording][data-state="shown"]').waitFor(),
      press('Pause'),
    ),
  },
  {
    name: 'shared-code',
    who: 'signed-out',
    path: '/s/00000000000000000000000000000000',
    reach: serialized(
      openLink({ kind: 'live', camera: 'front_door', code: 'harbor 4711' }),
      (page) => page.getByLabel('Code').fill('harbor 4712'),
      press('Open'),
      text('Incorrect code.'),
    ),
  },
  refused('unknown', 'This link doesn’t work', 401, 'wrong-link'),
  refused('expired', 'This link has expired', 410, 'link-expired'),
  refused('used-up', 'This link has been used up', 410, 'link-used-up'),
  refused('locked', 'This link is locked', 410, 'link-locked'),
  refused('revoked', 'This link was revoked', 410, 'link-revoked'),
  refused('unavailable', 'Not available right now', 410, 'link-unavailable'),
  refused('full', 'Too many viewers', 503, 'too-many-viewers', '600'),
  refused('busy', 'Too many attempts', 429, '', '600'),
  {
    name: 'shared-away',
    who: 'signed-out',
    path: '/s/00000000000000000000000000000000#secret',
    before: (page) => page.route('**/api/links/*/open', (route) => route.abort()),
    reach: heading('Can’t reach the video'),
  },
]
