import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { browserOf, open } from './browser.ts'
import { docsImages, outlineFile, outlineOf, screens } from './docs-images.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { startSeededService, type SeededService } from './seeded-service.ts'
import { pageStates } from './pages/page-states.ts'
import { program } from '../server/test/support/programs.ts'
import { sharedBrowser } from './tabs.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs/images')
const executablePath = program('chromium')
const renew = 'Run `npm run screenshots -- --docs`.'

test('every docs image is made by the screenshots command and used on a page', () => {
  expect(readdirSync(folder).toSorted(), renew).toEqual([...Object.keys(docsImages), outlineFile].toSorted())
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
  const shown = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/images\/([\w-]+\.png)/g)].map(([, file]) => file),
  )
  expect(new Set(shown)).toEqual(new Set(Object.keys(docsImages)))
})

describe.skipIf(!executablePath)('the docs images show the current UI', () => {
  let at: SeededService
  const recorded = JSON.parse(readFileSync(join(folder, outlineFile), 'utf8')) as Record<string, readonly string[]>

  beforeAll(async () => {
    at = await startSeededService()
  })
  afterAll(stopAll)

  test.each(Object.entries(docsImages))('%s', async (file, { state: name, screen, scheme }) => {
    const state = pageStates.find((each) => each.name === name)
    if (!state) throw new Error(`pages/ has no ${name}`)
    const context = await browserOf(await sharedBrowser(), at, state.who, { ...screens[screen], colorScheme: scheme })
    onTestFinished(() => context.close())
    const page = await open(context, at, state)
    await expect.poll(() => outlineOf(page), { message: renew }).toEqual(recorded[file])
  })
})
