import type { AuditLine, FactorsResponse, OwnReads, OwnSummary, Profile } from '../../server/src/api-types.ts'
import { button, dialog, heading, press, serialized, text, type PageState } from './page-state.ts'
import { fetched } from '../fetched.ts'

/** The account page and menu. */
export const accountPages: readonly PageState[] = [
  {
    name: 'account-menu',
    who: 'ada',
    path: '/account',
    async reach(page) {
      await page.getByRole('button', { name: /^Account: ada/ }).click()
      await page.getByTestId('account-identity').waitFor()
    },
  },
  { name: 'account', who: 'ada', path: '/account', reach: serialized(heading('ada'), text('This session')) },
  {
    name: 'account-wrong',
    who: 'ada',
    path: '/account',
    async reach(page) {
      await page.getByLabel('New password').fill('short')
      await button(page, 'Change password').click()
      await page.getByText('Enter your current password.').waitFor()
    },
  },
  {
    name: 'account-dialog',
    who: 'ada',
    path: '/account',
    // Another browser of ada's, so that there is a session to end.
    reach: serialized(
      (page) =>
        page.evaluate(
          `fetch('/api/login', { method: 'POST', credentials: 'omit', headers: { 'content-type': 'application/json' },
             body: JSON.stringify({ user: 'ada', password: 'correct horse battery staple' }) })`,
        ),
      (page) => page.reload(),
      press('Sign out all others'),
      (page) => dialog(page).waitFor(),
    ),
  },
  {
    name: 'security',
    who: 'ada',
    path: '/account/security',
    before: (page) => page.route('**/api/account/factors', (route) => route.fulfill({ json: someFactors(Date.now()) })),
    reach: serialized(heading('Security'), text('Blue key'), text('8 codes left.')),
  },
  {
    name: 'security-none',
    who: 'ada',
    path: '/account/security',
    reach: serialized(heading('Security'), text('No passkeys.')),
  },
  {
    name: 'factors-reset',
    who: 'ada',
    path: '/account/security',
    before: (page) =>
      page.route('**/api/profile', async (route) => {
        const reply = await fetched(route)
        const profile = (await reply.json()) as Profile
        const second_factor = { has: false, reset: { by: 'vera', at: new Date().toISOString() } }
        await route.fulfill({ response: reply, json: { ...profile, second_factor } })
      }),
    reach: serialized(heading('Security'), text('Your second factors were reset')),
  },
  {
    name: 'security-app',
    who: 'ada',
    path: '/account/security',
    before: (page) =>
      page.route('**/api/account/totp', (route) =>
        route.fulfill({
          json: {
            secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
            uri: 'otpauth://totp/Gatehouse:ada?issuer=Gatehouse&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          },
        }),
      ),
    reach: serialized(press('Set up app'), (page) => dialog(page).getByText('Secret', { exact: true }).waitFor()),
  },
  {
    name: 'activity',
    who: 'ada',
    path: '/account/activity',
    async before(page) {
      await page.route('**/api/account/reads?*', (route) => route.fulfill({ json: reads(Date.now()) }))
      await page.route('**/api/account/reads/summary?*', (route) => route.fulfill({ json: readSums }))
    },
    reach: serialized(heading('Activity'), text('Your viewing is recorded'), text('By camera, last 30 days')),
  },
  {
    name: 'activity-off',
    who: 'ada',
    path: '/account/activity',
    reach: serialized(heading('Activity'), text('Your viewing isn’t recorded')),
  },
]

const hour = 3_600_000

/** An app, a passkey and a remembered device. @param now Unix milliseconds */
function someFactors(now: number): FactorsResponse {
  const before = (hours: number) => new Date(now - hours * hour).toISOString()
  return {
    required: true,
    totp: { created_at: before(200) },
    passkeys: [{ id: '0'.repeat(32), name: 'Blue key', created_at: before(150), last_used_at: before(3) }],
    recovery_codes: 8,
    devices: [
      {
        id: '1'.repeat(32),
        address: '192.0.2.17',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        created_at: before(100),
        last_used_at: before(2),
        expires_at: before(-620),
      },
    ],
  }
}

/** What ada watched. @param now Unix milliseconds */
function reads(now: number): OwnReads {
  const line = (hours: number, action: string, more: Partial<AuditLine>): AuditLine => ({
    id: 1000 - hours,
    at: new Date(now - hours * hour).toISOString(),
    action,
    result: 'success',
    user: 'ada',
    auth_method: 'password',
    address: '192.0.2.17',
    target: 'front_door',
    ...more,
  })
  const [start, end] = [now / 1000 - 30 * 3600, now / 1000 - 29.5 * 3600]
  return {
    recorded: true,
    kept_days: 90,
    cursor: null,
    reads: [
      line(1, 'watch', { duration: 742 }),
      line(2, 'playback', { target: 'side_yard', duration: 65, start, end }),
      line(26, 'snapshot', { duration: 3600, auth_method: 'token', credential: { id: '1', name: 'Hallway panel' } }),
      line(27, 'download', { target: 'side_yard', start, end }),
    ],
  }
}

const readSums: OwnSummary = {
  rows: [
    ['front_door', 84, 44_732, 0],
    ['side_yard', 12, 2_710, 3],
    ['office', 1, 48, 0],
    ['loading_bay', 1, 31, 0],
    ['north_gate', 1, 20, 0],
    ['barn', 0, 0, 2],
  ].map(([name, watched, seconds, downloads]) => ({
    name: String(name),
    watched: Number(watched),
    watched_duration: Number(seconds),
    played: Number(downloads),
    played_duration: 90 * Number(downloads),
    downloads: Number(downloads),
    snapshots: 0,
  })),
}
