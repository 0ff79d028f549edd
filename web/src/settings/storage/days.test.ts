import { expect, test } from 'vitest'
import { days } from './days.ts'

test.each([
  [7, 'en', '7 days'],
  [2.04, 'en', '2 days'],
  [1.5, 'en', '36 hours'],
  [0.1, 'en', '2.4 hours'],
  [12.6, 'de', '13 Tage'],
  [30, 'zh-CN', '30天'],
])('%s in %s is %s', (count, locale, text) => {
  expect(days(count, locale)).toBe(text)
})
