import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { adminTextsIn } from './admin-texts.ts'
import { languageFor, languages, type Language } from './languages.ts'
import { localeFor } from './locale.ts'
import { motionTextsIn } from './motion-texts.ts'

test.each([
  [['de-AT', 'en'], 'de', 'de-AT'],
  [['pl', 'fr-CA', 'en'], 'fr', 'fr-CA'],
  [['en-GB'], 'en', 'en-GB'],
  [['zh-CN'], 'zh-Hans', 'zh-CN'],
  [['zh'], 'zh-Hans', 'zh'],
  // Traditional Chinese readers get Simplified Chinese, never a mix of both scripts.
  [['zh-TW', 'en'], 'zh-Hans', 'zh-Hans'],
  [['pl'], 'en', 'en'],
  [['not a tag', 'es'], 'es', 'es'],
  [[], 'en', 'en'],
] as const)('%j gets texts in %s and dates in %s', (preferred, tag, locale) => {
  const language = languageFor(preferred)
  expect(language.tag).toBe(tag)
  expect(localeFor(language.tag, preferred)).toBe(locale)
})

/** Every text of a language by its path. */
function* textsOf(value: unknown, path: string[] = []): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path.join('.'), value]
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, [...path, key])
}
const pathsOf = (texts: object) => [...textsOf(texts)].map(([path]) => path)

describe.each(languages)('$name', (language: Language) => {
  test('has every text, and none is empty', async () => {
    const english = await languageFor([]).load()
    const texts = await language.load()
    expect(pathsOf(texts)).toEqual(pathsOf(english))
    expect([...textsOf(texts)].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test('has every text that is loaded with its page', async () => {
    for (const load of [motionTextsIn, adminTextsIn]) {
      const texts: object = await load(language.tag)
      expect(pathsOf(texts)).toEqual(pathsOf(await load('en')))
      expect([...textsOf(texts)].filter(([, text]) => text.trim() === '')).toEqual([])
    }
  })
})

/** Tables indexed by a value from the service. */
const byValue = new Set(
  'service configProblems actions details states levels help hints by results engines phrases'.split(' '),
)

/** Every key that the code uses by name, not through a value from the service. */
function* keysOf(part: object): Generator<string> {
  for (const [key, inner] of Object.entries(part)) {
    if (byValue.has(key)) continue
    yield key
    if (typeof inner === 'object' && inner !== null) yield* keysOf(inner as object)
  }
}

test('every text is used: its key occurs in a page', async () => {
  const root = resolve(import.meta.dirname, '..')
  const pages = globSync('**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'i18n' }).map((file) =>
    readFileSync(resolve(root, file), 'utf8'),
  )
  const words = new Set([...pages.join('\n').matchAll(/[A-Za-z]\w*/g)].map(([word]) => word))
  const keys = [
    ...keysOf({ ...(await languageFor([]).load()), ...(await adminTextsIn('en')), motion: await motionTextsIn('en') }),
  ]
  expect(keys.length).toBeGreaterThan(500)
  expect(keys.filter((key) => /^\w+$/.test(key) && !words.has(key))).toEqual([])
})
