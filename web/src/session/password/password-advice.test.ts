import { expect, test } from 'vitest'
import { loadTexts } from '../../i18n/catalogs.ts'
import { adviceOn } from './password-advice.ts'

const en = await loadTexts('en', ['account'])

test.each([
  ['', 'empty'],
  ['eleven char', 'refused'],
  ['😀😀😀😀😀😀', 'refused'],
  ['x'.repeat(1025), 'refused'],
  ['tab\tin the middle', 'refused'],
  ['maximilian-the-1st', 'refused'],
  ['maximilian-the-1st!', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcXYZ1abcXYZ1', 'weak'],
  ['abcdefghijklmnop', 'weak'],
  ['qwertyuiop1234567890', 'weak'],
  ['gull sofa nine', 'fine'],
  ['tram lemon ocean brick', 'good'],
])('%j is %s', (password, level) => {
  expect(adviceOn(password, 'Maximilian-the-1st', en.password).level).toBe(level)
})
