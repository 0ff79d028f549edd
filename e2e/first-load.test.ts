import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { rest } from './browser.ts'
import { ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')

/** The pages, and what each shows once it has loaded. */
const pages = {
  login: { path: '/login', shown: (page: Page) => page.locator('form [type="submit"]') },
  live: { path: '/', shown: (page: Page) => page.locator('[data-camera="yard"][data-state="playing"]') },
  users: { path: '/settings/users', shown: (page: Page) => page.getByRole('row').nth(1) },
  config: { path: '/settings/config', shown: (page: Page) => page.locator('.cm-content') },
}

interface Script {
  readonly name: string
  /** Compressed size, as transferred. */
  readonly bytes: number
  readonly text: string
}

/** Vite's chunk names for pages that only some users open. */
const settings = /^(Settings\w+|(Users?|Roles?|Access|Audit|Log|System|Cameras|Motion|Config)Page)-/
const isEditor = ({ text }: Script) => text.includes('cm-content')
const kilobytes = (scripts: readonly Script[]) => scripts.reduce((all, { bytes }) => all + bytes, 0) / 1000

describe.skipIf(!executablePath)('the first load', () => {
  let service: Service
  beforeAll(async () => {
    const cameras = { yard: { source: 'demo:yard', title: 'Side yard' } }
    service = await startService({ config: { cameras } })
    await service.user('ada', 'admin')
  })
  afterAll(stopAll)

  /** Every script that a browser with an empty cache fetches for a page. */
  async function scriptsOf(name: keyof typeof pages, language = 'en-US'): Promise<Script[]> {
    const { path, shown } = pages[name]
    const page = await ownPage({ locale: language })
    if (name !== 'login') await signInOn(page, service, 'ada')
    const fetched: Promise<Script>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return
      fetched.push(
        (async () => ({
          name: new URL(request.url()).pathname.split('/').at(-1) ?? '',
          bytes: (await request.sizes()).responseBodySize,
          text: (await (await request.response())?.text()) ?? '',
        }))(),
      )
    })
    await page.goto(`${service.gate.base}${path}`)
    await shown(page).waitFor()
    await rest(page)
    const scripts = await Promise.all(fetched)
    console.log(
      `${name}, ${language}: ${kilobytes(scripts).toFixed(1)} kB of script, compressed, in ${scripts.length} files`,
    )
    return scripts
  }

  test.each(
    ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'zh-CN'].flatMap((language) => [
      ['login', language, 153] as const,
      ['live', language, 165] as const,
    ]),
  )('of %s in %s is below %i kB of script, in one language, without the settings', async (name, language, max) => {
    const scripts = await scriptsOf(name, language)
    const texts = scripts.flatMap(
      (script) => /^texts\.([a-z]+)[\w-]*\.(\w+)-/.exec(script.name)?.slice(1, 3).join() ?? [],
    )
    const own = language.split('-')[0]
    const catalogs = name === 'login' ? ['common', 'login'] : ['common', 'live', 'reasons', 'shortcuts']
    expect(texts.toSorted()).toEqual(catalogs.map((catalog) => `${own},${catalog}`))
    expect(scripts.length).toBeGreaterThan(2)
    expect(kilobytes(scripts)).toBeLessThan(max)
    expect(scripts.map((script) => script.name).filter((each) => settings.test(each))).toEqual([])
    expect(scripts.filter(isEditor).map((script) => script.name)).toEqual([])
  })

  test('of the Users page has no editor, and that of the Configuration page has one', async () => {
    const users = await scriptsOf('users')
    expect(users.map((script) => script.name)).toContainEqual(expect.stringMatching(settings))
    expect(users.filter(isEditor)).toEqual([])
    // Below a sub-path too, the path serves the script and not the page that unknown paths get.
    expect(users.find((script) => script.name === 'ahead.js')?.text).toContain('gatehouseAhead')
    expect((await scriptsOf('config')).filter(isEditor)).not.toEqual([])
  })
})
