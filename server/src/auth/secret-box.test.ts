import { expect, test } from 'vitest'
import { systemRandom } from '../shared/random.ts'
import { createSecretBox } from './secret-box.ts'

const jwtSecret = 'j'.repeat(64)
const box = createSecretBox(jwtSecret, 'purpose', systemRandom)

test('a sealed secret opens with its key and its context only', () => {
  for (const text of ['', 'secret', 'Zoë 🔑', 'x'.repeat(5_000)]) {
    const sealed = box.seal(text, 'row 1')
    expect(box.open(sealed, 'row 1')).toBe(text)
    expect(box.open(sealed, 'row 2')).toBeUndefined()
    expect(createSecretBox(jwtSecret, 'other', systemRandom).open(sealed, 'row 1')).toBeUndefined()
    expect(createSecretBox('k'.repeat(64), 'purpose', systemRandom).open(sealed, 'row 1')).toBeUndefined()
  }
})

test('the same secret is sealed differently each time, and does not show', () => {
  const [first, second] = [box.seal('secret', 'row'), box.seal('secret', 'row')]
  expect(first).not.toBe(second)
  expect(Buffer.from(first.slice(2), 'base64url').toString('latin1')).not.toContain('secret')
})

test('what was changed, cut or isn’t a sealed secret does not open', () => {
  const sealed = box.seal('secret', 'row')
  const bytes = Buffer.from(sealed.slice(2), 'base64url')
  for (const [at] of bytes.entries()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(box.open(`1.${changed.toString('base64url')}`, 'row')).toBeUndefined()
    expect(box.open(`1.${bytes.subarray(0, at).toString('base64url')}`, 'row')).toBeUndefined()
  }
  for (const other of ['', '1.', 'secret', sealed.slice(2), `2.${sealed.slice(2)}`]) {
    expect(box.open(other, 'row')).toBeUndefined()
  }
})
