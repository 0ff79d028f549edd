import { expect, test } from 'vitest'
import { loadTexts } from '../../../i18n/catalogs.ts'
import { adviceOn } from '../../../session/password/password-advice.ts'
import { generatePassword } from './password-generator.ts'

const en = await loadTexts('en', ['account'])

const chance = (into: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(into)

test('[USER-2] a generated password is accepted, and no two are the same', () => {
  const made = Array.from({ length: 200 }, () => generatePassword(chance))
  expect(new Set(made).size).toBe(200)
  for (const password of made) {
    expect(password).toMatch(/^(?:[2-9a-hjkmnp-z]{5}-){3}[2-9a-hjkmnp-z]{5}$/)
    expect(adviceOn(password, 'nina', en.password).level).toBe('good')
  }
})

test('bytes that would favor some letters are drawn again', () => {
  let round = 0
  const password = generatePassword((into) => into.fill(round++ === 0 ? 255 : 0))
  expect([round, password]).toEqual([2, '22222-22222-22222-22222'])
})
