import { expect, test } from 'vitest'
import { everyAllowed } from '../every-allowed.ts'
import { admin } from './admin.ts'
import { fr } from './fr.ts'
import { motion } from './motion.ts'

/** A number, a name, a list, or the values of one of the service's sentences. */
const sample: unknown = Object.assign(Object(2) as object, {
  allowed: everyAllowed,
  found: '2',
  keys: ['2'],
  meant: ['2'],
  names: ['2'],
  optional: true,
  quotes: true,
  roles: ['2'],
  users: ['2'],
  join: () => '2',
})

/** Every text in it, with what the functions say of samples. */
function textsIn(part: unknown, path = ''): [path: string, text: string][] {
  if (typeof part === 'string') return [[path, part]]
  if (typeof part === 'function') return textsIn(Reflect.apply(part, undefined, [sample, sample, sample]), path)
  return Object.entries(part as object).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`))
}

test('no French sign stands close to its word, or alone at the start of a line', () => {
  expect(
    textsIn({ ...fr, ...admin, motion }).filter(([, text]) =>
      /[\p{L}\d][;!?»]|[\n\t ][;:!?»%]|«[^\u00a0\u202f]/u.test(text),
    ),
  ).toEqual([])
})

test('apostrophes are curved', () => {
  expect(textsIn({ ...fr, ...admin, motion }).filter(([, text]) => /\p{L}'\p{L}/u.test(text))).toEqual([])
})
