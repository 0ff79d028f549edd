import { describe, expect, test } from 'vitest'
import { languageFor, languages, localeFor, type Language } from './languages.ts'
import { motionTextsIn } from './motion-texts.ts'

test.each([
  [['de-AT', 'en'], 'de', 'de-AT'],
  [['pl', 'fr-CA', 'en'], 'fr', 'fr-CA'],
  [['en-GB'], 'en', 'en-GB'],
  [['zh-CN'], 'zh-Hans', 'zh-CN'],
  [['zh'], 'zh-Hans', 'zh'],
  // Traditional signs stay unread rather than mixed with simplified ones.
  [['zh-TW', 'en'], 'zh-Hans', 'zh-Hans'],
  [['pl'], 'en', 'en'],
  [['not a tag', 'es'], 'es', 'es'],
  [[], 'en', 'en'],
] as const)('%j is spoken to in %s, with dates of %s', (preferred, tag, locale) => {
  const language = languageFor(preferred)
  expect(language.tag).toBe(tag)
  expect(localeFor(language, preferred)).toBe(locale)
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

  test('has those too that come with their page', async () => {
    const texts = await motionTextsIn(language.tag)
    expect(pathsOf(texts)).toEqual(pathsOf(await motionTextsIn('en')))
    expect([...textsOf(texts)].filter(([, text]) => text.trim() === '')).toEqual([])
  })
})
