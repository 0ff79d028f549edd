import type { Page } from 'playwright-core'
import { button, heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'

const url = `/invite/${'0'.repeat(32)}#secret`
const resetUrl = `/reset/${'0'.repeat(32)}#secret`
const expires_at = '2026-03-08T17:00:00Z'

/** Mocks what a link is for. */
const opens = (username: string | null) => (page: Page) =>
  page.route('**/open', (route) => route.fulfill({ json: { username, expires_at } }))

/** Mocks a link that can't be used. */
const isOver = (status: number, reason: string) => (page: Page) =>
  page.route('**/open', (route) => route.fulfill({ status, json: { status, reason: { code: reason } } }))

/** Mocks the links that can be used, and creating another. */
const withLinks = (page: Page) =>
  page.route(/\/api\/(invitations|users\/\w+\/password-reset)$/, (route) => {
    const isCreated = route.request().method() === 'POST'
    const link = { id: 'c', created_by: 'ada', created_at: '2026-03-01T17:00:00Z', expires_at }
    return route.fulfill(
      isCreated
        ? {
            status: 201,
            json: { id: 'c', url: `https://cams.example/invite/${'c'.repeat(32)}#${'x'.repeat(43)}`, expires_at },
          }
        : {
            json: [
              { ...link, id: 'a', kind: 'invitation', role: 'night_guard', username: null },
              { ...link, id: 'b', kind: 'invitation', role: 'viewer', username: 'wilhelmina.longfellow' },
              { ...link, kind: 'reset', role: null, username: 'vera' },
            ],
          },
    )
  })

/** Invitations and reset links: the pages that they lead to, and those of the admins who create them. */
export const oneTimeLinkPages: readonly PageState[] = [
  { name: 'invite', who: 'signed-out', path: url, before: opens(null), reach: heading('You’re invited') },
  {
    name: 'invite-empty',
    who: 'signed-out',
    path: url,
    before: opens(null),
    reach: serialized(press('Accept invitation'), text('Choose a username.')),
  },
  {
    name: 'invite-named',
    who: 'signed-out',
    path: url,
    before: opens('ann'),
    reach: text('Choose a password for ann.'),
  },
  { name: 'reset', who: 'signed-out', path: resetUrl, before: opens('vera'), reach: heading('Choose a new password') },
  {
    name: 'invite-used',
    who: 'signed-out',
    path: url,
    before: isOver(410, 'one-time-link-used'),
    reach: heading('Link already used'),
  },
  {
    name: 'reset-wrong',
    who: 'signed-out',
    path: resetUrl,
    before: isOver(401, 'one-time-link-wrong'),
    reach: heading('Invalid link'),
  },
  {
    name: 'invite-unreachable',
    who: 'signed-out',
    path: url,
    before: (page) => page.route('**/open', (route) => route.abort()),
    reach: (page) => button(page, 'Try again').waitFor(),
  },
  {
    name: 'users-links',
    who: 'ada',
    path: '/settings/users',
    before: withLinks,
    reach: serialized(text('Invitation for wilhelmina.longfellow'), text('vera')),
  },
  {
    name: 'users-invite',
    who: 'ada',
    path: '/settings/users',
    reach: serialized(press('Invite'), text('Invite a user')),
  },
  {
    name: 'users-invited',
    who: 'ada',
    path: '/settings/users',
    before: withLinks,
    reach: serialized(press('Invite'), pressIn('Create link'), text('Send this link to the person.')),
  },
  {
    name: 'user-reset-link',
    who: 'ada',
    path: '/settings/users/vera',
    before: withLinks,
    reach: serialized(press('Create reset link'), text('Send this link to vera.')),
  },
]
