import type { Page } from 'playwright-core'
import type { LivedIn, Who } from './lived-in.ts'

/** A page in one of its states, and the way to it. */
export interface PageState {
  /** As in a file's name. */
  readonly name: string
  readonly who: Who
  /** Below the gate's address. */
  readonly path: string
  /** Before it is opened. */
  readonly before?: (page: Page) => Promise<unknown>
  /** Leads on to the state, and waits until it is there. */
  readonly reach: (page: Page, at: LivedIn) => Promise<unknown>
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor()
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

type Step = (page: Page, at: LivedIn) => Promise<unknown>
const inTurn =
  (...steps: readonly Step[]): Step =>
  async (page, at) => {
    for (const step of steps) await step(page, at)
  }
const press = (name: string) => (page: Page) => button(page, name).click()
const pressIn = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click()

/** Adds to config.yml at its end, in the editor. */
const write = (line: string) => async (page: Page) => {
  await page.getByRole('textbox', { name: 'config.yml' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(line)
}

/** What another admin saves while one writes; taken back once the page has seen it. */
async function somebodyElseSaves(page: Page, { house }: LivedIn): Promise<void> {
  const put = (body: string) =>
    house.inside.ask('PUT', '/api/config/raw', { body, headers: { 'content-type': 'text/yaml', 'if-match': '*' } })
  const before = (await house.inside.get('/api/config/raw')).text
  await put(`${before}# The barn's camera is being repaired.\n`)
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: 'Yours' }).waitFor()
  await put(before)
}

const cameraForm = inTurn(heading('Cameras'), press('Add camera'), (page) => page.getByLabel('Source').waitFor())
const playing = (camera: string) => (page: Page) =>
  page.locator(`[data-camera="${camera}"][data-state="playing"]`).waitFor()

/** Every page and every state of it that looks different. What stands here is photographed and held to the rules. */
export const pageStates: readonly PageState[] = [
  {
    name: 'login',
    who: 'nobody',
    path: '/login',
    reach: (page) => button(page, 'Sign in').waitFor(),
  },
  {
    name: 'login-empty',
    who: 'nobody',
    path: '/login',
    reach: inTurn(press('Sign in'), (page) => page.locator('[aria-invalid="true"]').first().waitFor()),
  },
  {
    name: 'login-wrong',
    who: 'nobody',
    path: '/login',
    async reach(page) {
      await page.getByLabel('User name').fill('ada')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await button(page, 'Sign in').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'new-password', who: 'admin', path: '/', reach: heading('Choose your own password') },
  {
    name: 'live',
    who: 'ada',
    path: '/',
    reach: inTurn(playing('front_door'), playing('side_yard'), playing('office'), playing('loading_bay')),
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
  { name: 'camera-offline', who: 'ada', path: '/cameras/barn', reach: heading('Barn') },
  { name: 'camera-off', who: 'ada', path: '/cameras/north_gate', reach: heading(/^North gate/) },
  { name: 'camera-denied', who: 'nina', path: '/cameras/office', reach: heading(/./) },
  { name: 'camera-missing', who: 'ada', path: '/cameras/no_such', reach: heading(/./) },
  { name: 'account', who: 'ada', path: '/account', reach: inTurn(heading('ada'), text('This one')) },
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
    // Another browser of hers, so that there is something to end.
    reach: inTurn(
      (page) =>
        page.evaluate(
          `fetch('/api/login', { method: 'POST', credentials: 'omit', headers: { 'content-type': 'application/json' },
             body: JSON.stringify({ user: 'ada', password: 'correct horse battery staple' }) })`,
        ),
      (page) => page.reload(),
      press('End all others'),
      (page) => dialog(page).waitFor(),
    ),
  },
  { name: 'settings', who: 'ada', path: '/settings', reach: heading(/^(Settings|Users)$/) },
  { name: 'users', who: 'ada', path: '/settings/users', reach: inTurn(heading('Users'), text('vera')) },
  {
    name: 'users-none',
    who: 'ada',
    path: '/settings/users',
    async reach(page) {
      await page.getByRole('searchbox', { name: 'Search users' }).fill('nobody at all')
      await page.getByText('No user fits').waitFor()
    },
  },
  {
    name: 'users-add',
    who: 'ada',
    path: '/settings/users',
    reach: inTurn(press('Add user'), pressIn('Add user'), text('Enter a name.')),
  },
  { name: 'user', who: 'ada', path: '/settings/users/gustav', reach: inTurn(heading('gustav'), text('Program')) },
  { name: 'user-self', who: 'ada', path: '/settings/users/ada', reach: heading('ada') },
  {
    name: 'user-delete',
    who: 'ada',
    path: '/settings/users/vera',
    reach: inTurn(press('Delete user'), text('Delete vera?')),
  },
  { name: 'user-missing', who: 'ada', path: '/settings/users/no_such', reach: heading('No such user') },
  { name: 'roles', who: 'ada', path: '/settings/roles', reach: inTurn(heading('Roles'), text('night_guard')) },
  {
    name: 'roles-add',
    who: 'ada',
    path: '/settings/roles',
    reach: inTurn(press('Add role'), pressIn('Add role'), text('Choose at least one camera.')),
  },
  {
    name: 'role',
    who: 'ada',
    path: '/settings/roles/night_guard',
    reach: inTurn(heading('night_guard'), text('gustav')),
  },
  {
    name: 'role-changed',
    who: 'ada',
    path: '/settings/roles/night_guard',
    async reach(page) {
      await page.getByRole('switch', { name: 'Back office' }).click()
      await page.getByText(/users gain/).waitFor()
    },
  },
  { name: 'role-built-in', who: 'ada', path: '/settings/roles/viewer', reach: heading('viewer') },
  {
    name: 'role-delete',
    who: 'ada',
    path: '/settings/roles/night_guard',
    reach: inTurn(press('Delete role'), (page) => page.getByTestId('consequences').waitFor()),
  },
  {
    name: 'cameras',
    who: 'ada',
    path: '/settings/cameras',
    reach: (page) => page.locator('[data-camera="front_door"][data-state="online"] img').waitFor(),
  },
  { name: 'cameras-add', who: 'ada', path: '/settings/cameras', reach: cameraForm },
  {
    name: 'cameras-add-works',
    who: 'ada',
    path: '/settings/cameras',
    reach: inTurn(
      cameraForm,
      (page) => page.getByLabel('Source').fill('demo:office'),
      press('Test the connection'),
      text('It works'),
    ),
  },
  {
    name: 'cameras-add-fails',
    who: 'ada',
    path: '/settings/cameras',
    reach: inTurn(
      cameraForm,
      (page) => page.getByLabel('Source').fill('rtsp://cam:hunter2@127.0.0.1:9/live'),
      press('Test the connection'),
      text(/nothing listens on this port/),
    ),
  },
  {
    name: 'cameras-edit',
    who: 'ada',
    path: '/settings/cameras',
    reach: inTurn(press('Edit Barn'), (page) => page.getByLabel('Source').waitFor()),
  },
  {
    name: 'cameras-remove',
    who: 'ada',
    path: '/settings/cameras',
    reach: inTurn(press('Remove Side yard'), (page) => dialog(page).waitFor()),
  },
  {
    name: 'access',
    who: 'ada',
    path: '/settings/access',
    reach: inTurn(heading('Access'), (page) =>
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
      await page.getByRole('status', { name: 'Outcome' }).getByText('night_guard').first().waitFor()
    },
  },
  {
    name: 'access-headers',
    who: 'ada',
    path: '/settings/access',
    async reach(page) {
      await page.getByText('Proxy headers', { exact: true }).click()
      await page.getByLabel('Headers', { exact: true }).fill('X-Forwarded-Groups: sysadmins')
      await button(page, 'Try').click()
      await page.getByText('This is nobody').waitFor()
    },
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
    reach: inTurn(write('auditt: 5\n'), text('1 problem')),
  },
  {
    name: 'config-differences',
    who: 'ada',
    path: '/settings/config',
    reach: inTurn(
      write('audit:\n  retain_days: 77\n'),
      press('Review and save'),
      (page) => page.getByRole('dialog', { name: 'Save these changes?' }).waitFor(),
      (page) => dialog(page).locator('.cm-changedLine, .cm-insertedLine').first().waitFor(),
    ),
  },
  {
    name: 'config-conflict',
    who: 'ada',
    path: '/settings/config',
    reach: inTurn(
      write('audit:\n  retain_days: 77\n'),
      press('Review and save'),
      (page) => page.getByRole('dialog', { name: 'Save these changes?' }).waitFor(),
      somebodyElseSaves,
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
  { name: 'system', who: 'ada', path: '/settings/system', reach: inTurn(text('Running for'), text('Barn')) },
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
    name: 'service-gone-meanwhile',
    who: 'ada',
    path: '/settings/users',
    async reach(page) {
      await page.getByText('vera').first().waitFor()
      await page.route('**/api/users', (route) => route.abort())
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
