import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { rest } from './browser.ts'
import { newPage, ownPage } from './tabs.ts'

const executablePath = program('chromium')
const kept = 'gatehouse-language'

let service: Service

/** The login page, in a browser with this locale and, optionally, a stored language choice. */
async function loginPage(locale: string, keptTag?: string): Promise<Page> {
  const localStorage = [{ name: kept, value: keptTag ?? '' }]
  const page =
    keptTag === undefined
      ? await newPage({ locale })
      : await ownPage({ locale, storageState: { cookies: [], origins: [{ origin: service.gate.base, localStorage }] } })
  await page.goto(`${service.gate.base}/login`)
  return page
}

/** Signs in, with the labels of the page's language. */
async function signIn(page: Page, words: { user: string; password: string; submit: string; account: string }) {
  await page.getByLabel(words.user).fill('vera')
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: words.submit }).click()
  await page.getByRole('button', { name: words.account }).waitFor()
}

const english = { user: 'Username', password: 'Password', submit: 'Sign in', account: 'Account: vera' }
const german = { user: 'Benutzername', password: 'Passwort', submit: 'Anmelden', account: 'Konto: vera' }

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Language and direction of the document: `de ltr`. */
const spoken = (page: Page) =>
  page.evaluate('`${document.documentElement.lang} ${document.documentElement.dir}`') as Promise<string>

const storedIn = (page: Page) => page.evaluate(`localStorage.getItem('${kept}')`)

/** Formats in the browser, whose ICU version differs from Node's. */
const dateIn = (page: Page, locale: string, at: string, timeStyle: 'short' | 'medium') =>
  page.evaluate(
    `new Intl.DateTimeFormat('${locale}', { dateStyle: 'medium', timeStyle: '${timeStyle}' }).format(new Date('${at}'))`,
  ) as Promise<string>

/** Collects the scripts that a page fetches from now on. */
function scriptsOf(page: Page): Set<string> {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  return scripts
}

/** The tags of all offered languages except English. */
async function otherTags(page: Page): Promise<string[]> {
  await page.getByLabel('Language').waitFor()
  const tags = (await page.evaluate(`[...document.querySelectorAll('option')].map(({ value }) => value)`)) as string[]
  return tags.filter((tag) => tag !== '' && tag !== 'en')
}

describe.skipIf(!executablePath)('the language of the page', () => {
  beforeAll(async () => {
    service = await startService({ config: { tls: { enabled: false } } })
    await service.user('vera', 'viewer')
  })
  afterAll(stopAll)

  test.each([
    ['en-GB', 'en', 'Sign in'],
    ['de-DE', 'de', 'Anmelden'],
    ['de-AT', 'de', 'Anmelden'],
    ['es-MX', 'es', 'Iniciar sesión'],
    ['fr-CA', 'fr', 'Connexion'],
    ['zh-CN', 'zh-Hans', '登录'],
    // The other script of the same language is easier to read than another language.
    ['zh-TW', 'zh-Hans', '登录'],
    // A language without a translation.
    ['eo', 'en', 'Sign in'],
  ])('defaults to that of the browser: %s', async (locale, tag, words) => {
    const page = await loginPage(locale)
    await heading(page, words).waitFor()
    expect(await spoken(page)).toBe(`${tag} ltr`)
    expect(await page.title()).toContain(words)
    expect(await storedIn(page)).toBeNull()
  })

  test('chosen on the login page applies from then on, until it is reset to the browser’s', async () => {
    const page = await loginPage('zh-CN')
    await page.getByLabel('语言').selectOption({ label: 'Deutsch' })
    await heading(page, 'Anmelden').waitFor()
    expect(await spoken(page)).toBe('de ltr')
    expect(await storedIn(page)).toBe('de')

    await page.reload()
    await heading(page, 'Anmelden').waitFor()
    await signIn(page, german)
    await page.goto(`${service.gate.base}/account`)
    await heading(page, 'Darstellung').waitFor()
    expect(await spoken(page)).toBe('de ltr')

    await page.getByLabel('Sprache').selectOption('')
    await heading(page, '外观').waitFor()
    expect(await spoken(page)).toBe('zh-Hans ltr')
    expect(await storedIn(page)).toBeNull()
    await page.reload()
    await heading(page, '外观').waitFor()
  })

  test('chosen on the account page applies from then on, and after signing out', async () => {
    const page = await loginPage('en-US')
    await signIn(page, english)
    await page.goto(`${service.gate.base}/account`)
    await page.getByLabel('Language').selectOption({ label: '简体中文' })
    await heading(page, '外观').waitFor()
    expect(await spoken(page)).toBe('zh-Hans ltr')
    expect(await storedIn(page)).toBe('zh-Hans')

    await page.reload()
    await heading(page, '外观').waitFor()
    expect(await page.getByLabel('语言').inputValue()).toBe('zh-Hans')
    await page.getByRole('button', { name: '账户：vera' }).click()
    await page.getByRole('button', { name: '退出登录' }).click()
    await heading(page, '登录').waitFor()
  })

  test('chosen while a form shows problems translates them too, whether the page or the service found them', async () => {
    const page = await loginPage('en-US')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Enter your username.').waitFor()
    await page.getByLabel('Language').selectOption('de')
    await page.getByText('Geben Sie Ihren Benutzernamen ein.').waitFor()
    await page.getByLabel('Sprache').selectOption('en')

    await signIn(page, english)
    await page.goto(`${service.gate.base}/account`)
    await page.getByLabel('New password').fill(`another ${password}`)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Enter your current password.').waitFor()
    await page.getByLabel('Language').selectOption('de')
    await page.getByText('Geben Sie Ihr aktuelles Passwort ein.').waitFor()

    await page.getByLabel('Aktuelles Passwort').fill('not the password')
    await page.getByRole('button', { name: 'Passwort ändern' }).click()
    await page.getByText('Falsches Passwort.').waitFor()
    await page.getByLabel('Sprache').selectOption('en')
    await page.getByText('Incorrect password.').waitFor()
    expect(await page.getByText('Falsches Passwort.').count()).toBe(0)
  })

  test('can be English in a browser of another language, and is stored', async () => {
    const page = await loginPage('de-DE')
    await page.getByLabel('Sprache').selectOption('en')
    await heading(page, 'Sign in').waitFor()
    await page.reload()
    await heading(page, 'Sign in').waitFor()
    expect(await spoken(page)).toBe('en ltr')
  })

  test('chosen in one tab applies in the others immediately', async () => {
    const page = await loginPage('de-DE')
    const other = await page.context().newPage()
    await other.goto(`${service.gate.base}/login`)
    await other.getByLabel('Sprache').selectOption('fr')
    await heading(page, 'Connexion').waitFor()
    expect(await spoken(page)).toBe('fr ltr')
    await other.getByLabel('Langue').selectOption('')
    await heading(page, 'Anmelden').waitFor()
  })

  test.each(['tlh', '', 'no tag at all', 'de-'])('is that of the browser if “%s” is stored', async (tag) => {
    const page = await loginPage('zh-CN', tag)
    await heading(page, '登录').waitFor()
    expect(await spoken(page)).toBe('zh-Hans ltr')
    expect(await page.getByLabel('语言').inputValue()).toBe('')
  })

  test.each([
    ['de-AT', undefined, 'de-AT', german],
    ['en-GB', undefined, 'en-GB', english],
    ['en-US', undefined, 'en-US', english],
    // No locale exists for German in the browser's region.
    ['en-US', 'de', 'de', german],
  ])('in %s with %s stored formats session times as %s', async (locale, tag, expected, words) => {
    const page = await loginPage(locale, tag)
    await signIn(page, words)
    await page.goto(`${service.gate.base}/account`)
    const sessions = (await page.evaluate(`fetch('/api/sessions').then((response) => response.json())`)) as {
      created_at: string
      current: boolean
    }[]
    const own = sessions.find(({ current }) => current)
    const since = await dateIn(page, expected, own?.created_at ?? '', 'short')
    await page.getByText(since).first().waitFor()
  })

  test.each([
    ['de-DE', /^\d+(,\d)?\u00A0%$/],
    ['en-US', /^\d+(\.\d)?%$/],
    ['zh-CN', /^\d+(\.\d)?%$/],
  ])('decides the format of times and numbers for an admin: %s', async (locale, share) => {
    const page = await newPage({ locale })
    await page.goto(`${service.internal.base}/settings/audit`)
    const time = page.locator('time').first()
    const at = await time.getAttribute('datetime')
    expect(await time.textContent()).toBe(await dateIn(page, locale, at ?? '', 'medium'))

    await page.goto(`${service.internal.base}/settings/system`)
    await page.locator('dd').filter({ hasText: share }).first().waitFor()
  })

  test('that cannot be fetched is reported, and nothing else changes', async () => {
    const page = await loginPage('en-US')
    const [tag = ''] = await otherTags(page)
    const before = scriptsOf(page)
    await page.route('**/*.js', (route) => route.abort())
    await page.getByLabel('Username').fill('half a na')
    await page.getByLabel('Language').selectOption(tag)
    await page.getByRole('alert').filter({ hasText: 'Couldn’t load this language' }).waitFor()
    expect(before.size).toBeGreaterThan(0)
    expect(await spoken(page)).toBe('en ltr')
    expect(await storedIn(page)).toBeNull()
    expect(await page.getByLabel('Language').inputValue()).toBe('')
    expect(await heading(page, 'Sign in').count()).toBe(1)
    expect(await page.getByLabel('Username').inputValue()).toBe('half a na')

    // Once the script can be fetched, choosing the language again is enough.
    await page.unroute('**/*.js')
    await page.getByLabel('Language').selectOption(tag)
    await page.locator(`html[lang="${tag}"]`).waitFor()
    expect(await page.locator('input').first().inputValue()).toBe('half a na')
  })

  test('chosen last applies and is stored, even if another one’s texts arrive after that', async () => {
    const page = await loginPage('en-US')
    const language = page.getByLabel('Language')
    await language.waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    const scripts = scriptsOf(page)
    await Promise.all([page.waitForRequest('**/*.js'), language.selectOption('de')])
    await language.selectOption('en')
    await expect.poll(() => storedIn(page)).toBe('en')
    held.resolve()
    for (const script of scripts) await page.evaluate(`import('${script}').then(() => {})`)
    await rest(page)
    expect(await spoken(page)).toBe('en ltr')
    expect(await storedIn(page)).toBe('en')
    expect(await heading(page, 'Sign in').count()).toBe(1)
  })

  test('that is stored but cannot be fetched falls back to English until it can be', async () => {
    const whole = await loginPage('en-US', 'de')
    await heading(whole, 'Anmelden').waitFor()
    const scripts = scriptsOf(whole)
    await whole.getByLabel('Sprache').selectOption('zh-Hans')
    await heading(whole, '登录').waitFor()
    const [chinese = ''] = scripts

    const page = await ownPage()
    await page.route(`**${chinese}`, (route) => route.abort())
    await page.addInitScript(`localStorage.setItem('${kept}', 'zh-Hans')`)
    await page.goto(`${service.gate.base}/login`)
    await heading(page, 'Sign in').waitFor()
    expect(await spoken(page)).toBe('en ltr')
    await page.unroute(`**${chinese}`)
    await page.reload()
    await heading(page, '登录').waitFor()
  })

  test('costs the texts of the open page, and English fetches no other language', async () => {
    const page = await loginPage('en-US')
    const tags = await otherTags(page)
    const ofLanguages: string[] = []
    for (const tag of tags) {
      const scripts = scriptsOf(page)
      await page.locator('select').selectOption(tag)
      await page.locator(`html[lang="${tag}"]`).waitFor()
      // A file is named by its language and catalog, followed by a hash of eight characters.
      const names = [...scripts].map((script) => script.split('/').at(-1)?.slice(0, -'-12345678.js'.length) ?? '')
      expect(new Set(names)).toEqual(new Set([`texts.${tag}.common`, `texts.${tag}.login`]))
      ofLanguages.push(...scripts)
    }
    expect(new Set(ofLanguages).size).toBe(2 * tags.length)
    expect(tags.length).toBeGreaterThan(1)

    const other = await newPage({ locale: 'en-GB' })
    const fetched = scriptsOf(other)
    for (const path of ['/', '/account', '/settings/users', '/settings/config', '/settings/log', '/nowhere']) {
      await other.goto(service.internal.base + path)
      await other.locator('h1').first().waitFor()
    }
    expect(fetched.size).toBeGreaterThan(tags.length)
    expect(ofLanguages.filter((script) => fetched.has(script))).toEqual([])
  })
})
