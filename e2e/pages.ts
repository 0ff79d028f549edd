import type { Page } from 'playwright-core'
import { someExports, someItems, withExports, withReview } from './review-fixtures.ts'
import { daysAgo, type SeededService, type Who } from './seeded-service.ts'

/** A page in one of its states, and how to reach it. */
export interface PageState {
  /** Used in file names. */
  readonly name: string
  readonly who: Who
  /** Relative to the gate's base URL. */
  readonly path: string
  /** Runs before the page is opened. */
  readonly before?: (page: Page, at: SeededService) => Promise<unknown>
  /** Brings the page into the state and waits for it. */
  readonly reach: (page: Page, at: SeededService) => Promise<unknown>
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor()
const heading2 = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 2 }).waitFor()
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

type Step = (page: Page, at: SeededService) => Promise<unknown>
const serialized =
  (...steps: readonly Step[]): Step =>
  async (page, at) => {
    for (const step of steps) await step(page, at)
  }
const press = (name: string) => (page: Page) => button(page, name).click()
const pressIn = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click()

/** Appends to config.yml in the editor. */
const write = (line: string) => async (page: Page) => {
  await page.getByRole('textbox', { name: 'config.yml' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(line)
}

/** Another admin saves while the user edits; undone once the page has noticed. */
async function otherAdminSaves(page: Page, { service }: SeededService): Promise<void> {
  const put = (body: string) =>
    service.internal.request('PUT', '/api/config/raw', {
      body,
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
    })
  const before = (await service.internal.get('/api/config/raw')).text
  await put(`${before}# The barn's camera is being repaired.\n`)
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: 'Your version' }).waitFor()
  await put(before)
}

/** Mocks a role that is missing from config.yml. */
const withoutNightGuard = async (page: Page) => {
  await page.route('**/api/roles', async (route) => {
    const response = await route.fetch()
    const roles = (await response.json()) as { name: string }[]
    await route.fulfill({ response, json: roles.filter(({ name }) => name !== 'night_guard') })
  })
  await page.route('**/api/users?orphaned=true*', async (route) => {
    const url = route.request().url().replace('orphaned=true', 'role=night_guard')
    await route.fulfill({ response: await route.fetch({ url }) })
  })
}

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

/** Mocks a removed camera that had the name. */
const usedName = (page: Page) =>
  page.route('**/api/removed-cameras/*', (route) =>
    route.fulfill({
      json: {
        name: 'old_shed',
        removed_at: '2026-01-02T03:04:05Z',
        recordings: { bytes: 12_300_000_000, oldest: 1_767_000_000, newest: 1_767_300_000 },
        review_items: 214,
        exports: 3,
        roles: [
          { name: 'night_guard', users: 2 },
          { name: 'nanny', users: 1 },
        ],
      },
    }),
  )

/** Mocks exports near their limits. */
const exportsNear = async (page: Page) => {
  await withExports(someExports)(page)
  await page.route('**/api/exports/usage', (route) =>
    route.fulfill({
      json: {
        own: { used: 8_600_000_000, limit: 10_000_000_000, left: 1_400_000_000 },
        all: { used: 17_200_000_000, limit: 20_000_000_000, left: 2_800_000_000, room: 31_000_000_000 },
        state: 'near',
      },
    }),
  )
}

/** Mocks another instance with different roles. */
const differingInstances = (page: Page) =>
  page.route('**/api/instances', (route) =>
    route.fulfill({
      json: [
        {
          id: 'b',
          name: 'attic:8971',
          current: false,
          started_at: '2026-01-01T00:00:00Z',
          last_seen_at: '2026-01-01T00:00:00Z',
          role_differences: [
            { role: 'night_guard', difference: 'other-cameras' },
            { role: 'nanny', difference: 'missing-here' },
          ],
        },
      ],
    }),
  )

const cameraForm = serialized(heading('Cameras'), press('Add camera'), (page) => page.getByLabel('Source').waitFor())

const mask = (...corners: readonly (readonly [number, number])[]) => corners
const [tree, street] = [
  mask([0.62, 0.1], [0.9, 0.06], [0.94, 0.46], [0.66, 0.52]),
  mask([0, 0.78], [0.4, 0.7], [0.4, 1], [0, 1]),
]

/** Draws a mask on the frame, up to closing it. */
async function drawMask(page: Page): Promise<void> {
  const picture = page.getByRole('application')
  await picture.locator('img').waitFor()
  await button(page, 'Add mask').click()
  await picture.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await picture.boundingBox())!
  for (const [across, down] of tree) await page.mouse.click(x + across * width, y + down * height)
  await page.getByText('Select the first point or Finish').waitFor()
}

/** Another admin saves masks while the user draws: the page notices when it saves. */
async function motionChanges(page: Page): Promise<void> {
  let changed = false
  await page.route('**/motion-settings', (route) => {
    changed = true
    return route.fulfill({ status: 412, json: { code: 'precondition-failed', detail: '' } })
  })
  await page.route('**/api/config/cameras', async (route) => {
    const response = await route.fetch()
    const settings = (await response.json()) as { cameras: { name: string; motion: { masks: unknown } }[] }
    const door = settings.cameras.find(({ name }) => name === 'front_door')
    if (changed && door) door.motion.masks = [street]
    return route.fulfill({ response, json: settings })
  })
}
const playing = (camera: string) => (page: Page) =>
  page.locator(`[data-camera="${camera}"][data-state="playing"]`).waitFor()

/** Mocks storage that has recorded for a while, on a disk that is now full. */
async function fullDisk(page: Page): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const stored = (camera: string, gigabytes: number, days: number, limits: object) => ({
    id: camera === 'old_barn' ? 'old_barn~' : camera,
    camera,
    configured: camera !== 'old_barn',
    bytes: gigabytes * 1e9,
    segments: Math.round(days * 8640),
    oldest: now - days * 86_400,
    newest: now - 60,
    bytes_per_day: Math.round((gigabytes * 1e9) / days),
    limits: { retain_days: 14, max_gb: null, mode: 'all', ...limits },
  })
  const cameras = [
    stored('front_door', 61.2, 5.1, {}),
    stored('side_yard', 48.9, 5.1, {}),
    stored('office', 9.4, 3.4, { mode: 'motion', max_gb: 10 }),
    stored('loading_bay', 31.7, 5.1, { retain_days: 30 }),
    stored('old_barn', 2.1, 4, {}),
  ]
  const limits = { retain_days: 14, max_gb: 400 }
  const disk = {
    folder: '/srv/media/recordings',
    total: 240e9,
    free: 2e8,
    bytes: 153.3e9,
    exports: 3.1e9,
    reserve: 6e9,
    limits,
  }
  await page.route('**/api/recordings/storage', (route) => route.fulfill({ json: { cameras } }))
  await page.route('**/api/recordings/disk', (route) => route.fulfill({ json: disk }))
  await page.route('**/api/cameras', async (route) => {
    const real = (await (await route.fetch()).json()) as { recording_state: string }[]
    const paused = {
      recording: false,
      recording_state: 'paused',
      recording_detail: 'The disk is full.',
      recording_reason: { code: 'disk-full' },
    }
    const full = real.map((camera) => (camera.recording_state === 'off' ? camera : { ...camera, ...paused }))
    await route.fulfill({ json: full })
  })
}
/** A time yesterday, in hours (UTC). */
const yesterday = (hours: number) => new Date((daysAgo(1) + hours * 3600) * 1000).toISOString()
const recorded = (camera: string) => (page: Page) =>
  page.locator(`[data-recording="${camera}"][data-state="shown"]`).waitFor()
const drawn = (page: Page) => page.locator('[data-lane]:not([data-loading])').first().waitFor()
/** Pauses the video, since moving images differ each time. By keyboard, so that no pointer rests on the button. */
async function paused(page: Page): Promise<void> {
  await button(page, 'Pause').waitFor()
  await page.keyboard.press('k')
  await button(page, 'Play').waitFor()
}

/** Every page, in every state that looks different. All are captured in screenshots and checked by the UI tests. */
export const pageStates: readonly PageState[] = [
  {
    name: 'login',
    who: 'signed-out',
    path: '/login',
    reach: (page) => button(page, 'Sign in').waitFor(),
  },
  {
    name: 'login-empty',
    who: 'signed-out',
    path: '/login',
    reach: serialized(press('Sign in'), (page) => page.locator('[aria-invalid="true"]').first().waitFor()),
  },
  {
    name: 'login-wrong',
    who: 'signed-out',
    path: '/login',
    async reach(page) {
      await page.getByLabel('Username').fill('ada')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await button(page, 'Sign in').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'new-password', who: 'admin', path: '/', reach: heading('Choose a new password') },
  {
    name: 'live',
    who: 'ada',
    path: '/',
    reach: serialized(playing('front_door'), playing('side_yard'), playing('office'), playing('loading_bay')),
  },
  { name: 'live-one', who: 'nina', path: '/', reach: playing('side_yard') },
  {
    name: 'live-empty',
    who: 'ada',
    path: '/',
    before: (page) => page.route('**/api/cameras', (route) => route.fulfill({ json: [] })),
    reach: heading(/./),
  },
  { name: 'live-nothing', who: 'kim', path: '/', reach: heading(/./) },
  {
    name: 'account-menu',
    who: 'ada',
    path: '/account',
    async reach(page) {
      await page.getByRole('button', { name: /^Account: ada/ }).click()
      await page.getByTestId('account-identity').waitFor()
    },
  },
  { name: 'camera', who: 'ada', path: '/cameras/front_door', reach: playing('front_door') },
  {
    name: 'camera-details',
    who: 'ada',
    path: '/cameras/front_door',
    reach: serialized(playing('front_door'), press('Show stream details'), text('Dropped frames')),
  },
  {
    name: 'camera-h265',
    who: 'ada',
    path: '/cameras/front_door',
    before: (page) => page.addInitScript('MediaSource.isTypeSupported = (type) => !type.includes("avc1")'),
    reach: (page) => page.getByText(/this browser can’t play/).waitFor(),
  },
  { name: 'camera-offline', who: 'ada', path: '/cameras/barn', reach: heading('Barn') },
  { name: 'camera-off', who: 'ada', path: '/cameras/north_gate', reach: heading(/^North gate/) },
  { name: 'camera-denied', who: 'nina', path: '/cameras/office', reach: heading(/./) },
  { name: 'camera-missing', who: 'ada', path: '/cameras/no_such', reach: heading(/./) },
  {
    name: 'history',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(recorded('side_yard'), drawn, paused),
  },
  {
    name: 'history-several',
    who: 'ada',
    path: `/history?camera=side_yard,front_door,office&at=${yesterday(13.2)}`,
    reach: serialized(recorded('side_yard'), drawn, paused),
  },
  {
    name: 'history-zoomed',
    who: 'nina',
    path: `/history?camera=side_yard&at=${yesterday(10.9)}`,
    reach: serialized(recorded('side_yard'), drawn, paused, async (page) => {
      for (let times = 0; times < 5; times++) await page.keyboard.press('+')
    }),
  },
  {
    name: 'history-marking',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(recorded('side_yard'), drawn, paused, press('Select a clip'), heading2('Selected clip')),
  },
  {
    name: 'history-keys',
    who: 'nina',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(
      recorded('side_yard'),
      paused,
      (page) => page.keyboard.press('?'),
      (page) => dialog(page).getByText('Previous or next motion').waitFor(),
    ),
  },
  {
    name: 'history-day',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(
      recorded('side_yard'),
      paused,
      (page) => page.getByRole('button', { name: /select a day$/ }).click(),
      (page) => page.locator('[data-recorded]').first().waitFor(),
    ),
  },
  {
    // On any date, the month view includes some days of adjacent months.
    name: 'history-month',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(
      recorded('side_yard'),
      paused,
      (page) => page.getByRole('button', { name: /select a day$/ }).click(),
      (page) => page.getByRole('button', { name: 'Previous month' }).click(),
      (page) => page.locator('[data-outside]:not([data-disabled])').first().waitFor(),
    ),
  },
  {
    name: 'history-cameras',
    who: 'ada',
    path: `/history?camera=side_yard,office&at=${yesterday(9.31)}`,
    reach: serialized(recorded('side_yard'), paused, (page) =>
      page
        .getByRole('button', { name: /^Camera/ })
        .or(page.getByRole('combobox', { name: 'Camera' }))
        .click(),
    ),
  },
  {
    name: 'history-empty',
    who: 'ada',
    path: `/history?camera=side_yard&at=${new Date((daysAgo(2) + 9 * 3600) * 1000).toISOString()}`,
    reach: serialized(text('No recordings on this day'), text(/^Recordings from/)),
  },
  {
    name: 'history-never',
    who: 'ada',
    path: `/history?camera=north_gate&at=${yesterday(9)}`,
    reach: text('No recordings on this day'),
  },
  { name: 'history-denied', who: 'nina', path: '/history?camera=office', reach: heading('Access denied') },
  { name: 'history-missing', who: 'ada', path: '/history?camera=no_such', reach: heading('Camera not found') },
  { name: 'history-none', who: 'kim', path: '/history', reach: heading(/./) },
  {
    name: 'review',
    who: 'ada',
    path: '/review?show=all',
    before: withReview(someItems),
    reach: serialized(heading('Review'), heading2('Yesterday')),
  },
  {
    name: 'review-selected',
    who: 'ada',
    path: '/review?show=all',
    before: withReview(someItems),
    reach: serialized(
      (page) =>
        page
          .getByRole('checkbox', { name: /^Select Side yard/ })
          .first()
          .check(),
      (page) =>
        page
          .getByRole('checkbox', { name: /^Select Loading bay/ })
          .first()
          .check(),
      text('2 selected'),
    ),
  },
  {
    name: 'review-empty',
    who: 'nina',
    path: '/review',
    before: withReview(() => []),
    reach: text('No alerts'),
  },
  {
    name: 'review-seen',
    who: 'nina',
    path: '/review?show=all&unseen=true',
    before: withReview(() => someItems().map((each) => ({ ...each, seen: true }))),
    reach: text('You’re all caught up'),
  },
  {
    name: 'review-off',
    who: 'ada',
    path: '/review',
    before: serialized(
      withReview(() => []),
      (page) =>
        page.route('**/api/config', (route) =>
          route.fulfill({ json: { cameras: { barn: { motion: { enabled: false } } } } }),
        ),
    ),
    reach: text('Motion detection is off'),
  },
  {
    name: 'review-failed',
    who: 'nina',
    path: '/review',
    before: (page) => page.route('**/api/review?**', (route) => route.fulfill({ status: 503, json: {} })),
    reach: (page) => button(page, 'Try again').waitFor(),
  },
  {
    name: 'review-playing',
    who: 'ada',
    path: '/review?show=all',
    before: withReview(someItems),
    reach: serialized(
      (page) => page.getByRole('button', { name: /^Front door.*In progress/ }).click(),
      (page) => dialog(page).locator('[data-recording][data-state]').waitFor(),
      (page) => dialog(page).getByRole('button', { name: 'Next (older)' }).waitFor(),
    ),
  },
  {
    name: 'exports',
    who: 'ada',
    path: '/exports',
    before: withExports(someExports),
    reach: serialized(heading('Exports'), text('The fox')),
  },
  {
    name: 'exports-near',
    who: 'ada',
    path: '/exports',
    before: exportsNear,
    reach: serialized(heading('Exports'), text('Exports are close to a limit')),
  },
  { name: 'exports-empty', who: 'nina', path: '/exports', before: withExports([]), reach: text('No exports yet') },
  {
    name: 'exports-rename',
    who: 'ada',
    path: '/exports',
    before: withExports(someExports),
    reach: serialized(
      (page) => button(page, 'Rename').first().click(),
      (page) => dialog(page).getByLabel('Name').waitFor(),
    ),
  },
  {
    name: 'exports-delete',
    who: 'ada',
    path: '/exports',
    before: withExports(someExports),
    reach: serialized((page) => button(page, 'Delete').first().click(), text('Delete Package at the door?')),
  },
  {
    name: 'exports-running',
    who: 'ada',
    path: '/account',
    before: withExports(someExports),
    reach: serialized(
      (page) => page.getByRole('button', { name: /^2 exports running/ }).click(),
      text('Package at the door'),
    ),
  },
  {
    name: 'exports-playing',
    who: 'ada',
    path: '/exports?play=x',
    before: serialized(withExports(someExports), (page) =>
      page.route('**/api/exports/x', (route) => route.fulfill({ json: someExports[2] })),
    ),
    reach: (page) => dialog(page).getByRole('link', { name: 'Download' }).waitFor(),
  },
  {
    name: 'exports-failed',
    who: 'nina',
    path: '/exports',
    before: (page) => page.route('**/api/exports?**', (route) => route.fulfill({ status: 503, json: {} })),
    reach: (page) => button(page, 'Try again').waitFor(),
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
  { name: 'settings', who: 'ada', path: '/settings', reach: heading(/^(Settings|Users)$/) },
  { name: 'users', who: 'ada', path: '/settings/users', reach: serialized(heading('Users'), text('vera')) },
  {
    name: 'users-orphaned',
    who: 'ada',
    path: '/settings/users',
    before: async (page) => {
      await withoutNightGuard(page)
      await differingInstances(page)
    },
    reach: serialized(heading('Users'), text(/have a role that doesn’t exist/), text('Roles differ between instances')),
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
    reach: serialized(press('Add user'), pressIn('Add user'), text('Enter a name.')),
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
  { name: 'user-missing', who: 'ada', path: '/settings/users/no_such', reach: heading('User not found') },
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
  { name: 'role-built-in', who: 'ada', path: '/settings/roles/viewer', reach: heading('viewer') },
  {
    name: 'role-delete',
    who: 'ada',
    path: '/settings/roles/night_guard',
    reach: serialized(press('Delete role'), (page) => page.getByTestId('consequences').waitFor()),
  },
  {
    name: 'cameras',
    who: 'ada',
    path: '/settings/cameras',
    reach: (page) => page.locator('[data-camera="front_door"][data-state="online"] img').waitFor(),
  },
  { name: 'cameras-add', who: 'ada', path: '/settings/cameras', reach: cameraForm },
  {
    name: 'cameras-add-used',
    who: 'ada',
    path: '/settings/cameras',
    before: usedName,
    reach: serialized(
      cameraForm,
      (page) => page.getByLabel('Name').fill('old_shed'),
      text('Continue with all of this'),
    ),
  },
  {
    name: 'cameras-add-works',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(
      cameraForm,
      (page) => page.getByLabel('Source').fill('demo:office'),
      press('Test connection'),
      text('Connected'),
    ),
  },
  {
    name: 'cameras-add-fails',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(
      cameraForm,
      (page) => page.getByLabel('Source').fill('rtsp://cam:hunter2@127.0.0.1:9/live'),
      press('Test connection'),
      text(/nothing is listening on this port/),
    ),
  },
  {
    name: 'cameras-edit',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(press('Edit Barn'), (page) => page.getByLabel('Source').waitFor()),
  },
  {
    name: 'cameras-remove',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(press('Remove Side yard'), (page) => dialog(page).waitFor()),
  },
  {
    name: 'motion',
    who: 'ada',
    path: '/settings/cameras/front_door',
    reach: serialized(drawMask, press('Finish'), (page) => page.getByRole('button', { name: /^Point 1 of/ }).waitFor()),
  },
  { name: 'motion-drawing', who: 'ada', path: '/settings/cameras/front_door', reach: drawMask },
  {
    name: 'motion-off',
    who: 'ada',
    path: '/settings/cameras/north_gate',
    reach: text('Camera disabled, no snapshot available.'),
  },
  {
    name: 'motion-overtaken',
    who: 'ada',
    path: '/settings/cameras/front_door',
    before: motionChanges,
    reach: serialized(drawMask, press('Finish'), press('Save'), text('Changed by someone else')),
  },
  {
    name: 'access',
    who: 'ada',
    path: '/settings/access',
    reach: serialized(heading('Access'), (page) =>
      page.getByRole('list', { name: 'Access by camera' }).or(page.locator('tbody')).waitFor(),
    ),
  },
  {
    name: 'access-tried',
    who: 'ada',
    path: '/settings/access',
    async reach(page) {
      await page.getByRole('combobox', { name: 'User' }).fill('gus')
      await page.getByRole('option', { name: 'gustav' }).click()
      await page.getByRole('status', { name: 'Result' }).getByText('night_guard').first().waitFor()
    },
  },
  {
    name: 'access-headers',
    who: 'ada',
    path: '/settings/access',
    async reach(page) {
      await page.getByText('Proxy headers', { exact: true }).click()
      await page.getByLabel('Headers', { exact: true }).fill('X-Forwarded-Groups: sysadmins')
      await button(page, 'Preview').click()
      await page.getByText('Not recognized').waitFor()
    },
  },
  {
    name: 'storage',
    who: 'ada',
    path: '/settings/storage',
    reach: serialized(heading('Storage'), text('Folder'), text('Recording')),
  },
  {
    name: 'storage-paused',
    who: 'ada',
    path: '/settings/storage',
    before: fullDisk,
    reach: serialized(heading('Storage'), text('Not recording: the disk is full'), text('about 5 days')),
  },
  {
    name: 'live-not-recorded',
    who: 'ada',
    path: '/',
    before: fullDisk,
    reach: text('Not recording: the disk is full'),
  },
  {
    name: 'storage-limits',
    who: 'ada',
    path: '/settings/storage',
    reach: serialized(press('Change the limits of Front door'), (page) => page.getByLabel('Days').waitFor()),
  },
  {
    name: 'storage-limits-wrong',
    who: 'ada',
    path: '/settings/storage',
    reach: serialized(
      press('Change limits'),
      (page) => page.getByLabel('Gigabytes').fill(''),
      pressIn('Save'),
      text('Enter more than 0 gigabytes.'),
    ),
  },
  {
    name: 'storage-delete',
    who: 'ada',
    path: '/settings/storage',
    before: fullDisk,
    reach: serialized(press('Delete the recordings of old_barn'), text('permanently deleted')),
  },
  {
    name: 'config',
    who: 'ada',
    path: '/settings/config',
    reach: (page) => page.getByRole('textbox', { name: 'config.yml' }).waitFor(),
  },
  {
    name: 'config-problem',
    who: 'ada',
    path: '/settings/config',
    reach: serialized(write('auditt: 5\n'), text('1 problem')),
  },
  {
    name: 'config-differences',
    who: 'ada',
    path: '/settings/config',
    reach: serialized(
      write('audit:\n  retain_days: 77\n'),
      press('Review and save'),
      (page) => page.getByRole('dialog', { name: 'Save these changes?' }).waitFor(),
      (page) => dialog(page).locator('.cm-changedLine, .cm-insertedLine').first().waitFor(),
    ),
  },
  {
    name: 'config-orphans',
    who: 'ada',
    path: '/settings/config',
    before: (page) =>
      page.route('**/api/config/raw', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({
              status: 409,
              json: {
                status: 409,
                code: 'conflict',
                message: '',
                reason: {
                  code: 'orphaned-roles',
                  values: { roles: ['night_guard'], users: ['gustav', 'lin.wei'] },
                },
              },
            })
          : route.fallback(),
      ),
    reach: serialized(
      (page) => page.getByRole('textbox', { name: 'config.yml' }).waitFor(),
      write('\nlogger: { default: warn }\n'),
      press('Review and save'),
      pressIn('Save'),
      text('2 users would lose access'),
    ),
  },
  {
    name: 'config-conflict',
    who: 'ada',
    path: '/settings/config',
    reach: serialized(
      write('audit:\n  retain_days: 77\n'),
      press('Review and save'),
      (page) => page.getByRole('dialog', { name: 'Save these changes?' }).waitFor(),
      otherAdminSaves,
    ),
  },
  {
    name: 'audit',
    who: 'ada',
    path: '/settings/audit',
    reach: (page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'log',
    who: 'ada',
    path: '/settings/log',
    reach: (page) => page.getByRole('region', { name: 'Log lines' }).locator('details').first().waitFor(),
  },
  {
    name: 'log-details',
    who: 'ada',
    path: '/settings/log',
    async reach(page) {
      await page.getByRole('searchbox', { name: 'Search' }).fill('barn')
      await page.getByRole('region', { name: 'Log lines' }).locator('summary').first().click()
      await page.locator('pre').first().waitFor()
    },
  },
  { name: 'system', who: 'ada', path: '/settings/system', reach: serialized(text('Uptime'), text('Barn')) },
  { name: 'denied', who: 'nina', path: '/settings', reach: heading('Access denied') },
  { name: 'not-found', who: 'nina', path: '/no/such/page', reach: heading(/./) },
  {
    name: 'service-away',
    who: 'nina',
    path: '/',
    before: (page) => page.route('**/api/**', (route) => route.abort()),
    reach: (page) => button(page, 'Try again').waitFor(),
  },
  {
    name: 'service-unreachable-later',
    who: 'ada',
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
