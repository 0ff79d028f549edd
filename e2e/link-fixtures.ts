import type { Page } from 'playwright-core'
import type { LinkResponse, OpenedLink } from '../server/src/auth/share-link/share-link-schema.ts'

const hour = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString()
/** Unix seconds. */
const start = Math.floor(Date.now() / 3_600_000) * 3600 - 20 * 3600

const one = (id: number, more: Partial<LinkResponse>): LinkResponse => ({
  id: String(id).padStart(32, '0'),
  kind: 'live',
  camera: 'front_door',
  start: null,
  end: null,
  export: null,
  state: 'active',
  expires_at: inHours(23),
  has_code: false,
  opens: 0,
  max_opens: null,
  viewers: 0,
  max_viewers: null,
  download: false,
  audio: false,
  note: '',
  owner: 'ada',
  created_at: inHours(-1 - id),
  last_opened_at: null,
  ...more,
})

/** Share links in every state. */
export const someLinks: readonly LinkResponse[] = [
  one(1, {
    audio: true,
    opens: 3,
    viewers: 2,
    last_opened_at: inHours(-0.2),
    note: 'For the plumber, until the work in the yard is done',
  }),
  one(2, {
    kind: 'history',
    camera: 'side_yard',
    start,
    end: start + 90,
    has_code: true,
    download: true,
    max_viewers: 2,
  }),
  one(3, {
    kind: 'export',
    camera: 'loading_bay',
    start,
    end: start + 300,
    state: 'used-up',
    opens: 1,
    max_opens: 1,
    last_opened_at: inHours(-3),
  }),
  one(4, { camera: 'office', state: 'unavailable', owner: 'maximiliane.oberhuber-schwarzenbach@example.org' }),
  one(5, { state: 'expired', expires_at: inHours(-2), opens: 12, last_opened_at: inHours(-4), owner: 'vera' }),
  one(6, { camera: 'barn', state: 'revoked', owner: 'vera' }),
]

/** Mocks the service's links with these. */
export const withLinks =
  (links: readonly LinkResponse[]) =>
  (page: Page): Promise<unknown> =>
    page.route(/\/api\/links(\/all)?$/, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: links }) : route.fallback(),
    )

/** Mocks the response to a new link. */
export const withCreated = (page: Page): Promise<unknown> =>
  page.route(/\/api\/links$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 201,
          json: { ...one(7, {}), url: `https://cameras.example.org/s/${'0'.repeat(31)}7#${'Wq3'.repeat(14)}x` },
        })
      : route.fallback(),
  )

/** What viewers get of a link, without its video. */
export const opened: OpenedLink = {
  kind: 'live',
  title: 'Front door',
  start: null,
  end: null,
  expires_at: inHours(23),
  download: false,
  audio: false,
}
