import { expect, test } from 'vitest'
import { translateMessage } from '../api/translate-message.ts'
import { describeAllowed } from './allowed.ts'
import { loadTexts } from './catalogs.ts'
import { everyAllowed } from '../../test/every-allowed.ts'
import { languages } from './languages.ts'

test.each(languages)('$name has words for every value that a key allows', async ({ tag }) => {
  const texts = await loadTexts(tag, ['config-problems'])
  for (const one of everyAllowed) {
    expect(describeAllowed([one], texts)).not.toBe('')
    expect(describeAllowed([one], texts)).not.toContain('undefined')
  }
})

test.each([
  ['en', 'Invalid value 7. Allowed: an integer from 1 to 5, lax, strict, or null. Put it in quotes.'],
  [
    'de',
    'Ungültiger Wert 7. Erlaubt: eine ganze Zahl von 1 bis 5, lax, strict oder null. Setzen Sie ihn in Anführungszeichen.',
  ],
  ['es', 'Valor no válido: 7. Permitido: un número entero de 1 a 5, lax, strict o null. Ponlo entre comillas.'],
  [
    'fr',
    'Valeur 7 non valide. Valeurs possibles\u00a0: un nombre entier de 1 à 5, lax, strict ou null. Mettez-la entre guillemets.',
  ],
  ['zh-Hans', '值 7 无效。允许的值：整数（1 至 5）、lax、strict或null。请加上引号。'],
] as const)('the values that a key allows are listed in %s', async (tag, text) => {
  const texts = await loadTexts(tag, ['config-problems'])
  const allowed = [
    { kind: 'integer', min: 1, max: 5 },
    { kind: 'one-of', values: ['lax', 'strict'] },
    { kind: 'null' },
  ] as const
  const problem = { code: 'invalid-value', values: { found: '7', allowed, quotes: true } }
  expect(translateMessage('configProblems', problem, texts)).toBe(text)
})

test.each([
  ['en', '2 to 255 letters, digits, ., _ and -, beginning with a letter or digit; or null'],
  ['de', '2 bis 255 Buchstaben ohne Umlaute, Ziffern, ., _ und -, am Anfang ein Buchstabe oder eine Ziffer; oder null'],
  ['es', 'de 2 a 255 letras sin tilde, cifras, ., _ y -, que empiece por una letra o una cifra; o null'],
  ['fr', '2 à 255 lettres sans accent, chiffres, ., _ et -, en commençant par une lettre ou un chiffre\u202f; ou null'],
  ['zh-Hans', '2 至 255 个字母、数字、.、_ 和 -，以字母或数字开头；或 null'],
] as const)('null is set off from a form with commas in %s', async (tag, text) => {
  const texts = await loadTexts(tag, ['config-problems'])
  expect(describeAllowed([{ kind: 's3-bucket' }, { kind: 'null' }], texts)).toBe(text)
})
