import { expect, test } from 'vitest'
import { languageFor } from './languages.ts'
import { localeFor } from './locale.ts'

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
