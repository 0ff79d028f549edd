import { readFileSync } from 'node:fs'
import type { Page, Request, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { wait } from '../server/test/support/wait.ts'
import { rest } from './browser.ts'
import { newPage, openAs, ownPage } from './tabs.ts'
import { fetched } from './fetched.ts'

const executablePath = program('chromium')

const complaints: string[] = []

async function signedIn(service: Service, user: string, path: string, opened = newPage()): Promise<Page> {
  const page = await opened
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
  })
  await openAs(page, service, user, path)
  return page
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'config.yml' })
const fileOf = (service: Service) => readFileSync(service.configFile, 'utf8')

/** Types at the end of the file. Whole lines are inserted in one go, since typing a newline would indent the next. */
async function append(page: Page, text: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('Control+End')
  if (text.includes('\n')) await page.keyboard.insertText(text)
  else await page.keyboard.type(text)
}

async function review(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.getByRole('dialog', { name: 'Save these changes?' }).waitFor()
}

/** Two versions are side by side. */
const wide = { width: 1200, height: 800 }

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { includeHidden: true })
const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
const snapshot = (page: Page) => page.getByRole('application', { name: 'Snapshot of Yard with its masks' })
const handle = (page: Page, name: string) => snapshot(page).getByRole('button', { name: new RegExp(`^${name}`) })
const hasFocus = (page: Page, name: string | RegExp) =>
  expect
    .poll(() => page.evaluate(`document.activeElement.ariaLabel ?? document.activeElement.textContent`))
    .toMatch(name)

/** The screen position of a point of the frame, given as fractions. */
async function spot(page: Page, [x, y]: readonly [number, number]) {
  await snapshot(page).scrollIntoViewIfNeeded()
  const box = await snapshot(page).boundingBox()
  return [box!.x + x * box!.width, box!.y + y * box!.height] as const
}
const press = async (page: Page, at: readonly [number, number]) => page.mouse.click(...(await spot(page, at)))
const saved = (page: Page) => page.getByText('Motion settings for Yard saved.').first().waitFor()

describe.skipIf(!executablePath)('settings stored in config.yml', () => {
  let service: Service

  beforeAll(async () => {
    service = await startService({
      config: {
        tls: { enabled: false },
        cameras: {
          yard: { source: 'demo:yard', title: 'Yard', enabled: false },
          lane: { source: 'rtsp://cam:hunter2@127.0.0.1:9/live', enabled: false },
        },
        auth: { roles: { guard: ['yard', 'lane'], neighbor: ['lane'] } },
      },
    })
    await service.user('ada', 'admin')
    await service.user('bert', 'admin')
    await service.user('vera', 'viewer')
  })
  afterEach(() => expect(complaints.splice(0)).toEqual([]))
  afterAll(stopAll)

  test('[CONF-2] an error is shown while typing, with its line, and cannot be saved', async () => {
    const before = fileOf(service)
    const page = await signedIn(service, 'ada', '/settings/config')
    await append(page, 'auditt: 5\n')
    const line = before.split('\n').length
    const problem = page.getByRole('button', { name: new RegExp(`^Problem Line ${line} .*auditt`) })
    await problem.waitFor()
    expect(await problem.innerText()).toContain('Did you mean audit?')
    await page.locator('.cm-lintRange-error', { hasText: 'auditt' }).waitFor()
    await review(page)
    await page.getByText('Fix these problems before saving:').waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Line \d+ .*auditt/ })
      .click()
    await expect.poll(() => editor(page).evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(fileOf(service)).toBe(before)
  })

  test('[CONF-2] problems are shown for the newest text, whichever response arrives last', async () => {
    const page = await signedIn(service, 'ada', '/settings/config')
    await page.getByText('No problems', { exact: true }).waitFor()
    const held: (() => Promise<void>)[] = []
    await page.route('**/api/config/check', async (route) => {
      if (!route.request().postData()?.includes('first_typo')) return route.continue()
      const response = await fetched(route)
      held.push(() => route.fulfill({ response }).catch(() => {}))
    })
    const checked = () => page.waitForRequest((request) => request.postData()?.includes('first_typo') === true)
    const first = checked()
    await append(page, 'first_typo: 1\n')
    await first
    await expect.poll(() => held.length).toBe(1)
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('second_typo: 2\n')
    const problem = (name: string) => page.getByRole('button', { name: new RegExp(`Problem Line \\d+ .*${name}`) })
    await problem('second_typo').waitFor()
    await held[0]?.()
    // Every response so far has arrived and been painted.
    await page.evaluate(`fetch('/api/health').then(() => new Promise((done) =>
      requestAnimationFrame(() => requestAnimationFrame(done))))`)
    expect(await problem('first_typo').count()).toBe(0)
    expect(await problem('second_typo').count()).toBe(1)
  })

  test('a check ends as soon as its text changes, or the editor is closed', async () => {
    const page = await signedIn(service, 'ada', '/settings/config', ownPage())
    await page.getByText('No problems', { exact: true }).waitFor()
    const checks: Request[] = []
    await page.route('**/api/config/check', (route) => void checks.push(route.request()))
    const failedNow = () => checks.map((request) => request.failure() !== null)
    await append(page, '# one\n')
    await expect.poll(() => checks.length).toBe(1)
    // From here on, no timer begins another check.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.keyboard.insertText('# two\n')
    await expect.poll(failedNow).toEqual([true])
    await page.clock.resume()
    await expect.poll(() => checks.length).toBe(2)
    expect(failedNow()).toEqual([true, false])
    await page.getByRole('link', { name: 'Users' }).first().click()
    await page.getByRole('button', { name: 'Discard and leave' }).click()
    await expect.poll(failedNow).toEqual([true, true])
  })

  test('[CONF-2] problems and warnings are shown in the language of the page', async () => {
    const page = await signedIn(service, 'ada', '/settings/config')
    await page.evaluate("localStorage.setItem('gatehouse-language', 'de')")
    await page.reload()
    await append(page, 'session_lenght: 5\nlogger:\n  default: loud\nhttp:\n  base_path:\n')
    const problems = page.getByRole('list').filter({ hasText: 'session_lenght' })
    await problems.waitFor()
    const reported = await problems.innerText()
    expect(reported).toContain('Unbekannter Schlüssel "session_lenght". Meinten Sie auth.session_length?')
    expect(reported).toContain('Ungültiger Wert "loud". Erlaubt: debug, info, warn oder error.')
    expect(reported).toMatch(/Leer\. Erlaubt: ein Pfad .* mit \/ beginnt\. Oder lassen Sie den Schlüssel weg\./)
    await page.locator('.cm-lintRange-error', { hasText: 'loud' }).hover()
    await page.locator('.cm-tooltip-lint').getByText('Erlaubt: debug, info, warn oder error.').waitFor()
  })

  test('a language chosen in another tab translates the editor, and what was typed stays and can be undone', async () => {
    const page = await signedIn(service, 'ada', '/settings/config')
    await append(page, 'auditt: 5\n')
    await page.getByText('Did you mean audit?').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${service.gate.base}/account`)
    await other.getByLabel('Language').selectOption('de')
    await page.getByText('Nicht gespeichert', { exact: true }).waitFor()
    await editor(page).getByText('auditt: 5').waitFor()
    await page.getByText('Meinten Sie audit?').waitFor()
    await editor(page).click()
    await page.keyboard.press('Control+z')
    await page.getByText('Gespeichert', { exact: true }).waitFor()
    expect(await editor(page).innerText()).not.toContain('auditt')
  })

  test('[CONF-4] keys and values are suggested with their documentation; a save is confirmed in words', async () => {
    const page = await signedIn(service, 'ada', '/settings/config')
    await append(page, 'audi')
    const offered = page.getByRole('option', { name: 'audit' })
    await offered.waitFor()
    await page.locator('.cm-completionInfo').waitFor()
    await wait(200, 'the list takes no key in its first moment')
    await page.keyboard.press('Enter')
    await page.keyboard.type('retain_')
    await page.getByRole('option', { name: 'retain_days' }).waitFor()
    expect(await page.locator('.cm-completionInfo').innerText()).toMatch(/Default: \d+/)
    await wait(200, 'the list takes no key in its first moment')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.type('77')
    await page.getByText('No problems').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog', { name: 'Save these changes?' }).waitFor()
    await save(page)
    const reported = page.getByRole('status').filter({ hasText: 'Applied now:' })
    expect(await reported.innerText()).toContain('audit.retain_days')
    expect(fileOf(service)).toMatch(/audit:\n {2}retain_days: 77/)

    await append(page, '\nhttp:\n  base_path: /cams/\n')
    await review(page)
    await save(page)
    await page.getByText('Applied after a restart:').waitFor()
    await page.getByText('http.base_path', { exact: true }).waitFor()
    await service.internal.put('/api/config/raw', fileOf(service).replace(/\nhttp:\n {2}base_path: \/cams\/\n/, '\n'), {
      'content-type': 'text/yaml',
      'if-match': '*',
    })
  })

  test('[CONF-4] when two admins edit concurrently, the second sees both versions and loses neither', async () => {
    const [ada, bert] = await Promise.all([
      signedIn(service, 'ada', '/settings/config'),
      signedIn(service, 'bert', '/settings/config', ownPage({ viewport: wide })),
    ])
    await append(bert, "# bert's line\n")
    await review(bert)
    await append(ada, "# ada's line\n")
    await review(ada)
    await save(ada)
    await ada.getByText('Saved. No running settings changed.').waitFor()

    await save(bert)
    const conflict = bert.getByRole('dialog', { name: 'Changed by someone else' })
    await conflict.waitFor()
    await conflict.getByRole('textbox', { name: 'Current version' }).getByText("# ada's line").waitFor()
    await conflict.getByRole('textbox', { name: 'Your version' }).getByText("# bert's line").waitFor()
    // Takes the other admin's text with the keyboard, then adds this admin's line after it.
    await conflict.getByRole('button', { name: 'Use theirs', exact: true }).focus()
    await bert.keyboard.press('Enter')
    const mine = conflict.getByRole('textbox', { name: 'Your version' })
    await mine.getByText("# ada's line").waitFor()
    await mine.click()
    await bert.keyboard.press('Control+End')
    await bert.keyboard.insertText("# bert's line\n# of both\n")
    // The merge stays in one column, when the file is saved once more, and in two columns again.
    await bert.setViewportSize({ width: 800, height: 800 })
    await conflict.getByRole('button', { name: 'Continue', exact: true }).waitFor()
    await mine.getByText('# of both').waitFor()
    await service.internal.put('/api/config/raw', `${fileOf(service)}# a third save\n`, {
      'content-type': 'text/yaml',
      'if-match': '*',
    })
    await conflict.getByText('# a third save').waitFor()
    await mine.click()
    await bert.keyboard.press('Control+z')
    await mine.getByText('# of both').waitFor({ state: 'detached' })
    await bert.keyboard.press('Control+y')
    await bert.setViewportSize(wide)
    const toContinue = conflict.getByRole('button', { name: 'Continue with right side' })
    await toContinue.waitFor()
    await conflict.getByRole('textbox', { name: 'Current version' }).getByText('# a third save').waitFor()
    expect(await mine.innerText()).toMatch(/# ada's line\n# bert's line\n# of both/)
    await toContinue.click()
    await review(bert)
    await save(bert)
    await bert.getByText('Saved. No running settings changed.').waitFor()
    expect(fileOf(service)).toMatch(/# ada's line\n# bert's line\n# of both\n/)
  })

  test('[CONF-4] a merge isn’t lost by a click beside the comparison, nor by Escape', async () => {
    const page = await signedIn(service, 'ada', '/settings/config', ownPage({ viewport: wide }))
    await append(page, '# of this page\n')
    await review(page)
    const theirs = `${fileOf(service)}# of someone else\n`
    await service.internal.put('/api/config/raw', theirs, { 'content-type': 'text/yaml', 'if-match': '*' })
    await save(page)
    const conflict = page.getByRole('dialog', { name: 'Changed by someone else' })
    const mine = conflict.getByRole('textbox', { name: 'Your version' })
    await mine.getByText('# of this page').waitFor()
    // Escape closes only the question in front.
    await conflict.getByRole('button', { name: 'Discard mine, use theirs' }).click()
    const discard = page.getByRole('dialog', { name: 'Discard your changes?' })
    await discard.waitFor()
    await page.keyboard.press('Escape')
    await discard.waitFor({ state: 'detached' })
    await mine.getByText('# of this page').waitFor()
    await conflict.getByRole('button', { name: 'Continue with right side' }).focus()
    // Nothing is lost yet.
    await page.keyboard.press('Escape')
    await conflict.waitFor({ state: 'detached' })
    await button(page, 'Review and save').click()
    await mine.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('# merged here\n')
    await mine.getByText('# merged here').waitFor()
    await page.mouse.click(3, 3)
    await conflict.getByRole('button', { name: 'Continue with right side' }).focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await rest(page)
    await mine.getByText('# merged here').waitFor()
    const ask = page.getByRole('dialog', { name: 'Discard this merge?' })
    await conflict.getByRole('button', { name: 'Close', exact: true }).click()
    await ask.getByRole('button', { name: 'Cancel' }).click()
    await ask.waitFor({ state: 'detached' })
    await mine.getByText('# merged here').waitFor()
    await conflict.getByRole('button', { name: 'Close', exact: true }).click()
    await ask.getByRole('button', { name: 'Discard changes' }).click()
    await conflict.waitFor({ state: 'detached' })
    await editor(page).getByText('# of this page').waitFor()
  })

  test('[CONF-3] a secret in the wrong place is reported without quoting it', async () => {
    const page = await signedIn(service, 'ada', '/settings/config')
    await append(page, '\nproxy: [hunter2_slip]\ndatabase: postgres://u:hunter2_slip@db/x\n')
    const problems = page.getByRole('region', { name: 'Problems' })
    await problems
      .getByText(/database/)
      .first()
      .waitFor()
    expect(await problems.innerText()).not.toContain('hunter2_slip')
    await button(page, 'Discard changes').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  })

  test('[CONF-4] [ROLE-7] a save that deletes a role in use names its users first', async () => {
    for (const name of ['gina', 'gus']) {
      expect((await service.internal.post('/api/users', { username: name, password, role: 'guard' })).status).toBe(201)
    }
    const before = fileOf(service)
    const page = await signedIn(service, 'ada', '/settings/config')
    await editor(page).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(before.replace('guard:', 'gaurd:'))
    await review(page)
    await save(page)
    const reported = page.getByRole('alert').filter({ hasText: '2 users would lose access' })
    await reported.getByText(/No role is named guard/).waitFor()
    expect(await reported.getByRole('listitem').allInnerTexts()).toEqual(['gina', 'gus'])
    expect(fileOf(service)).toBe(before)
    await button(page, 'Save anyway').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => fileOf(service)).toContain('gaurd:')
    const users = (await service.internal.get('/api/users')).text
    expect(users).toMatch(/"gina","key":"gina","provider":null,"role":"guard"/)
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    expect((await service.internal.put('/api/config/raw', before, headers)).status).toBe(200)
    for (const name of ['gina', 'gus']) await service.internal.delete(`/api/users/${name}`)
  })

  test('[CONF-4] signing out with unsaved changes needs a confirmation', async () => {
    const page = await signedIn(service, 'ada', '/settings/config')
    await append(page, '# not yet\n')
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account' }).click()
      await button(page, 'Sign out').click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    }
    await signOut()
    await button(page, 'Cancel').click()
    await editor(page).getByText('# not yet').waitFor()
    expect(await page.evaluate(async () => (await fetch('api/profile')).status)).toBe(200)
    await signOut()
    await button(page, 'Discard and leave').click()
    await page.waitForURL('**/login*')
  })

  test('[CONF-4] leaving unsaved changes needs a confirmation', async () => {
    const page = await signedIn(service, 'ada', '/settings/config')
    await append(page, '# not yet\n')
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await editor(page).getByText('# not yet').waitFor()
    // Leaves the editor with the keyboard: Tab indents in it.
    await editor(page).focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect.poll(() => editor(page).evaluate((element) => element.matches(':focus'))).toBe(false)
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByRole('button', { name: 'Discard and leave' }).click()
    await page.waitForURL(`${service.gate.base}/`)
    expect(fileOf(service)).not.toContain('# not yet')
  })

  test('[CONF-3] a camera is tested and added, and appears immediately; its source is shown only on request', async () => {
    const page = await signedIn(service, 'ada', '/settings/cameras')
    await page.getByRole('heading', { name: 'Yard' }).waitFor()
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain('hunter2')
    await page.getByRole('button', { name: 'Add camera' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a source.').waitFor()
    await page.getByLabel('Source').fill('exec:/bin/sh')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText(/^Only rtsp, rtsps, rtmp, http and https are allowed/).waitFor()
    await page.getByLabel('Source').fill('rtsp://127.0.0.1:9/live')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText(/nothing is listening on this port/).waitFor()
    await page.getByLabel('Source').fill('demo:office')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Connected').waitFor()
    await page.getByText(/H\.264 · 1280 × 720/).waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('Back office')
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('back_office')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Back office added.').waitFor()
    await page
      .locator('[data-camera="back_office"][data-state="online"]')
      .getByText(/1280 × 720/)
      .waitFor()
    expect((await service.internal.get('/api/cameras/back_office')).json).toMatchObject({
      title: 'Back office',
      state: 'online',
    })
    expect(fileOf(service)).toContain("# ada's line")
  })

  test('[CONF-3] the password of a source is replaced by a placeholder, and an error is shown at its field', async () => {
    const before = fileOf(service)
    const page = await signedIn(service, 'ada', '/settings/cameras')
    await page.getByRole('button', { name: 'Edit lane' }).click()
    expect(await page.getByLabel('Source').inputValue()).toBe('rtsp://***@127.0.0.1:9/***')
    await page.getByRole('button', { name: 'Replace' }).click()
    expect(await page.getByLabel('Source').inputValue()).toBe('')
    await page.getByLabel('Source').fill('rtsp://cam:hunter2@127.0.0.1:9/live')
    await page.getByRole('button', { name: 'Use a placeholder' }).click()
    expect(await page.getByLabel('Source').inputValue()).toBe('rtsp://cam:{SERVICE_CAM_LANE_PASSWORD}@127.0.0.1:9/live')
    await page.getByLabel('Value of {SERVICE_CAM_LANE_PASSWORD}, for this test only').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/No value for \{SERVICE_CAM_LANE_PASSWORD\}\./).waitFor()
    expect(fileOf(service)).toBe(before)
  })

  test('[CONF-3] a password typed for a test stays while the source is changed, and Enter starts the test', async () => {
    const page = await signedIn(service, 'ada', '/settings/cameras')
    const tested: string[] = []
    await page.route('**/api/cameras/test', async (route) => {
      tested.push((route.request().postDataJSON() as { source: string }).source)
      await route.fulfill({ json: { ok: false, reason: { code: 'no-route' }, detail: '' } })
    })
    await page.getByRole('button', { name: 'Add camera' }).click()
    const source = page.getByLabel('Source')
    await source.fill('rtsp://cam:{SERVICE_CAM_SHED}@127.0.0.1:9/a')
    const value = page.getByLabel('Value of {SERVICE_CAM_SHED}, for this test only')
    await value.fill('hunter3')
    await source.press('End')
    await source.pressSequentially('bc')
    expect(await value.inputValue()).toBe('hunter3')
    await value.press('Enter')
    await page.getByText('Connection failed').waitFor()
    expect(tested).toEqual(['rtsp://cam:hunter3@127.0.0.1:9/abc'])
    expect(await page.getByText('Enter a name.').count()).toBe(0)
    // Another source has not been tested.
    await source.fill('rtsp://cam:{SERVICE_CAM_SHED}@127.0.0.1:9/d')
    await page.getByText('Connection failed').waitFor({ state: 'detached' })
    expect(await value.inputValue()).toBe('hunter3')
  })

  test('[CONF-4] cameras that only the file can change are shown without the controls', async () => {
    const page = await signedIn(service, 'ada', '/settings/cameras')
    await page.route('**/api/config/cameras', async (route) => {
      const response = await fetched(route)
      await route.fulfill({ response, json: { ...((await response.json()) as object), editable: false } })
    })
    const opened = async (path: string) => {
      await page.goto(`${service.gate.base}/settings/${path}`)
      await page.getByText('This part of config.yml can’t be edited here. Edit the file instead.').waitFor()
    }
    const count = (name: string) => button(page, name).count()
    await opened('cameras')
    expect([await count('Add camera'), await count('Edit Yard'), await count('Remove Yard')]).toEqual([0, 0, 0])
    await opened('storage')
    expect([await count('Change the limits of Yard'), await count('Change limits')]).toEqual([0, 1])
    await opened('cameras/yard/motion')
    expect([await count('Add mask'), await count('Save')]).toEqual([0, 0])
    expect(await page.getByRole('switch', { name: 'Detect motion' }).isDisabled()).toBe(true)
    await page.route('**/api/cameras', (route) => route.fulfill({ json: [] }))
    await opened('cameras')
    await page.getByText('No cameras yet').waitFor()
    expect(await count('Add camera')).toBe(0)
  })

  const masksOf = async (camera: string): Promise<number[][][]> => {
    const { json } = await service.internal.get('/api/config')
    return (json as { cameras: Record<string, { motion: { masks: number[][][] } }> }).cameras[camera]!.motion.masks
  }
  const put = (body: string) =>
    service.internal.request('PUT', '/api/config/raw', {
      body,
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
    })

  const any = { 'if-match': '*' }
  /** Adds a camera, opens its form and types a title. */
  const openForm = async (name: string, page: Promise<Page>): Promise<Page> => {
    const added = await service.internal.post('/api/cameras', { name, source: 'demo:door', enabled: false }, any)
    expect(added.status).toBe(201)
    const opened = await signedIn(service, 'ada', '/settings/cameras', page)
    await button(opened, `Edit ${name}`).click()
    await title(opened).fill('Typed by ada')
    return opened
  }

  test('[CONF-4] the form of a camera that another admin removes stays open with the typed text', async () => {
    const own = await ownPage()
    await own.clock.install()
    const page = await openForm('cellar', Promise.resolve(own))
    expect((await service.internal.delete('/api/cameras/cellar', any)).status).toBe(204)
    const refetched = page.waitForResponse('**/api/config/cameras')
    await page.clock.runFor(10_000)
    await refetched
    await page.locator('[data-camera="cellar"]').waitFor({ state: 'detached' })
    await rest(page)
    expect(await dialog(page).count()).toBe(1)
    await page.route('**/api/config/cameras', async (route) => {
      const response = await fetched(route)
      await route.fulfill({ response, json: { ...((await response.json()) as object), editable: false } })
    })
    await page.clock.runFor(10_000)
    await page.getByText('This part of config.yml can’t be edited here.').waitFor()
    expect(await dialog(page).count()).toBe(1)
    await save(page)
    await page.getByText('This camera was changed by someone else.').waitFor()
    expect(await title(page).inputValue()).toBe('Typed by ada')
  })

  test('[CONF-4] the form that renames a camera stays open until the page shows the change', async () => {
    const page = await openForm('cellar_door', newPage())
    onTestFinished(async () => void (await service.internal.delete('/api/cameras/pantry', any)))
    await page.getByRole('textbox', { name: 'Name' }).fill('pantry')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/roles', async (route) => {
      await held.promise
      await route.continue()
    })
    await save(page)
    const edit = page.locator('[data-camera="pantry"]').getByRole('button', { name: /^Edit /, includeHidden: true })
    await edit.waitFor()
    expect(await dialog(page).count()).toBe(1)
    held.resolve()
    await page.getByText('Typed by ada saved.').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
  })

  describe('masks', () => {
    test('[CONF-4] a mask is drawn on the frame, dragged and saved, and the file keeps its comments', async () => {
      const before = `${fileOf(service)}# above all masks\n`
      await put(before)
      const page = await signedIn(service, 'ada', '/settings/cameras')
      await page.getByRole('link', { name: 'Motion detection for Yard' }).click()
      await page.getByRole('heading', { name: 'Motion detection: Yard', level: 1 }).waitFor()
      await page.getByText('Camera disabled, no snapshot available.').waitFor()
      await page.getByText('No masks: the whole frame is monitored.').waitFor()
      await button(page, 'Add mask').click()
      for (const at of [
        [0.1, 0.1],
        [0.5, 0.1],
        [0.5, 0.5],
      ] as const)
        await press(page, at)
      await press(page, [0.1, 0.5])
      // Closes the mask at its first point.
      await press(page, [0.1, 0.1])
      await handle(page, 'All of Mask 1').waitFor()
      // Drags the second point; selects the third, then places it.
      await page.mouse.move(...(await spot(page, [0.5, 0.1])))
      await page.mouse.down()
      await page.mouse.move(...(await spot(page, [0.6, 0.15])), { steps: 4 })
      await page.mouse.move(...(await spot(page, [0.7, 0.2])))
      await page.mouse.up()
      await press(page, [0.5, 0.5])
      await page.getByText('Select the new position').waitFor()
      await press(page, [0.8, 0.9])
      await page.getByText('High', { exact: true }).click()
      await button(page, 'Save').click()
      await saved(page)
      expect(fileOf(service)).toContain('# above all masks')
      expect(fileOf(service)).toContain('sensitivity: high')
      const [mask] = await masksOf('yard')
      for (const [index, [x, y]] of [
        [0.1, 0.1],
        [0.7, 0.2],
        [0.8, 0.9],
        [0.1, 0.5],
      ].entries()) {
        expect(mask![index]![0]).toBeCloseTo(x!, 1.7)
        expect(mask![index]![1]).toBeCloseTo(y!, 1.7)
      }
    })

    test('a mask is drawn, changed and deleted with the keyboard alone', async () => {
      const page = await signedIn(service, 'ada', '/settings/cameras/yard/motion')
      await button(page, 'Delete Mask 1').focus()
      await page.keyboard.press('Enter')
      await hasFocus(page, /^Add mask$/)
      await page.keyboard.press('Enter')
      await hasFocus(page, /^Crosshair, 50% from the left, 50% from the top/)
      for (const key of ['Enter', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter', 'Shift+ArrowDown', 'Enter']) {
        await page.keyboard.press(key)
      }
      await page.keyboard.press('Tab')
      await hasFocus(page, /^Finish$/)
      await page.keyboard.press('Enter')
      await hasFocus(page, /^All of Mask 1/)
      await page.keyboard.press('Tab')
      await hasFocus(page, /^Point 1 of Mask 1/)
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Insert')
      await hasFocus(page, /^Point 2 of Mask 1/)
      await page.keyboard.press('Delete')
      await page.keyboard.press('Delete')
      await page.getByText('A mask needs at least three points.').waitFor()
      await page.keyboard.press('Control+z')
      // A problem the service reports is shown at its field.
      const problem = { field: 'cameras.yard.motion.masks[0][1]', code: 'invalid-point', message: 'is no point' }
      const refuse = (route: Route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 400, json: { code: 'invalid-request', message: 'No.', problems: [problem] } })
          : route.fallback()
      await page.route('**/motion-settings', refuse)
      await button(page, 'Save').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('listitem').filter({ hasText: 'Mask 1' }).getByText('Invalid point.').waitFor()
      await page.unroute('**/motion-settings', refuse)
      await button(page, 'Save').focus()
      await page.keyboard.press('Enter')
      await saved(page)
      expect(await masksOf('yard')).toEqual([
        [
          [0.495, 0.5],
          [0.548, 0.5],
          [0.6, 0.5],
          [0.6, 0.55],
        ],
      ])
    })

    test('[CONF-4] masks that another admin saved in between are shown, not overwritten', async () => {
      const page = await signedIn(service, 'ada', '/settings/cameras/yard/motion')
      await button(page, 'Delete Mask 1').click()
      const theirs = fileOf(service).replace('0.548', '0.52').replace('sensitivity: high', 'sensitivity: low')
      // Between read and save, so that the page has not received the event yet.
      const inBetween = async (route: Route) => {
        await put(theirs)
        await route.continue()
      }
      await page.route('**/motion-settings', inBetween, { times: 1 })
      await button(page, 'Save').click()
      const alert = page.getByRole('alert').filter({ hasText: 'Changed by someone else' })
      await alert.getByText('Their version: sensitivity Low, 1 mask (dashed).').waitFor()
      expect(await button(page, 'Save').isDisabled()).toBe(true)
      expect(fileOf(service)).toBe(theirs)
      await button(page, 'Use theirs').click()
      await handle(page, 'All of Mask 1').waitFor()
      await button(page, 'Delete Mask 1').click()
      await button(page, 'Save').click()
      await saved(page)
      expect(await masksOf('yard')).toEqual([])
      expect(fileOf(service)).toContain('# above all masks')
    })
  })

  test('[CONF-3] only the editor reads config.yml, and no settings page receives a camera password', async () => {
    const page = await signedIn(service, 'ada', '/settings/users')
    const requested: string[] = []
    let load = 0
    const loadOf = new WeakMap<Request, number>()
    page.on('request', (request) => {
      requested.push(new URL(request.url()).pathname)
      if (request.isNavigationRequest()) load += 1
      loadOf.set(request, load)
    })
    // What each page received. A response to the page before can arrive as well, and cannot be read once that is left.
    const received: { readonly load: number | undefined; readonly path: string; readonly text: string }[] = []
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname
      response.text().then(
        (text) => void received.push({ load: loadOf.get(response.request()), path, text }),
        () => undefined,
      )
    })
    for (const [path, needs] of [
      ['users', 'users'],
      ['roles', 'roles'],
      ['access', 'users'],
      ['cameras', 'config/cameras'],
      ['storage', 'config/cameras'],
      ['audit', 'audit'],
      ['log', 'logs'],
      ['system', 'stats'],
      ['cameras/yard/motion', 'config/cameras'],
      ['cameras/lane/motion', 'config/cameras'],
      ['roles/guard', 'roles'],
      ['users/bert', 'users/bert'],
    ]) {
      await page.goto(`${service.gate.base}/settings/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const paths = () => received.filter((each) => each.load === load).map((each) => each.path)
      await expect.poll(paths).toContain(`/api/${needs}`)
    }
    expect(received.filter(({ text }) => text.includes('hunter2'))).toEqual([])
    expect(requested).toContain('/api/config/cameras')
    expect(requested.filter((path) => path.startsWith('/api/config/raw'))).toEqual([])
    await page.goto(`${service.gate.base}/settings/cameras`)
    await page.getByRole('button', { name: 'Edit lane' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Lane')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText(/nothing is listening on this port/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Lane saved.').waitFor()
    expect(requested.filter((path) => path.startsWith('/api/config/raw'))).toEqual([])
    expect(await page.content()).not.toContain('hunter2')
    expect(fileOf(service)).toContain('rtsp://cam:hunter2@127.0.0.1:9/live')
    await service.internal.put('/api/cameras/lane', { title: null }, { 'if-match': '*' })
    await page.goto(`${service.gate.base}/settings/config`)
    await editor(page).waitFor()
    expect(requested).toContain('/api/config/raw')
  })

  test('the card of a camera names every role that sees it, also one that doesn’t list it', async () => {
    expect((await service.internal.put('/api/roles/porter', { cameras: ['all'] })).status).toBeLessThan(300)
    onTestFinished(async () => void (await service.internal.delete('/api/roles/porter')))
    const page = await signedIn(service, 'ada', '/settings/cameras')
    await page.locator('[data-camera="yard"]').getByText('Visible to admin, viewer, guard, and porter').waitFor()
  })

  test('[ROLE-7] renaming or removing a camera updates its roles', async () => {
    const page = await signedIn(service, 'ada', '/settings/cameras')
    await page.getByRole('button', { name: 'Edit Yard' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('garden')
    await page.getByText('Roles that list it are updated: guard.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-camera="garden"]').waitFor()
    const rolesNow = async () =>
      Object.fromEntries(
        ((await service.internal.get('/api/roles')).json as { name: string; cameras: string[] }[]).map((role) => [
          role.name,
          role.cameras,
        ]),
      )
    expect((await rolesNow())['guard']).toEqual(['garden', 'lane'])

    await page.getByRole('button', { name: 'Remove lane' }).click()
    await page.getByText('It’s also removed from these roles: guard.').waitFor()
    await page.getByText(/It’s the only camera in neighbor/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('lane removed.').waitFor()
    expect((await rolesNow())['guard']).toEqual(['garden'])
    expect((await service.internal.get('/api/cameras/lane')).status).not.toBe(200)
  })

  test('[CAM-4] a camera renamed to a removed camera’s name inherits its data only on request', async () => {
    for (const [each, source] of Object.entries({ shed: 'demo:door', den: 'demo:yard' })) {
      expect((await service.internal.post('/api/cameras', { name: each, source, enabled: false }, any)).status).toBe(
        201,
      )
    }
    expect((await service.internal.put('/api/roles/keeper', { cameras: ['shed'] })).status).toBe(201)
    expect((await service.internal.delete('/api/cameras/shed', any)).status).toBe(204)
    const withheld = async () =>
      ((await service.internal.get('/api/roles')).json as { name: string; withheld?: string[] }[]).find(
        ({ name }) => name === 'keeper',
      )?.withheld
    const page = await signedIn(service, 'ada', '/settings/cameras')
    const name = page.getByRole('textbox', { name: 'Name' })
    const confirmation = page.getByRole('checkbox', { name: 'Use all of this for the new camera' })
    const rename = async (from: string, to: string, inherit: boolean) => {
      await page
        .locator(`[data-camera="${from}"]`)
        .getByRole('button', { name: /^Edit / })
        .click()
      await name.fill(to)
      await page.getByText(`The name ${to} was used before`).waitFor()
      expect(await confirmation.isChecked()).toBe(false)
      if (inherit) await confirmation.check()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator(`[data-camera="${to}"]`).waitFor()
    }
    await rename('den', 'shed', false)
    expect(await withheld()).toEqual(['shed'])
    await rename('shed', 'den', false)
    await rename('den', 'shed', true)
    expect(await withheld()).toBeUndefined()
    // The camera's own previous name needs no confirmation.
    await page
      .locator('[data-camera="shed"]')
      .getByRole('button', { name: /^Edit / })
      .click()
    await name.fill('den')
    await confirmation.waitFor()
    await name.fill('shed')
    await confirmation.waitFor({ state: 'detached' })
  })
})
