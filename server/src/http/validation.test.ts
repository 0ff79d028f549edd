import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ServiceError } from '../shared/errors.ts'
import { validatorFor } from './validation.ts'

const validate = validatorFor(Type.Object({ name: Type.String() }, { additionalProperties: false }), 'body')

function problemsOf(body: unknown): unknown {
  try {
    validate(body)
  } catch (error) {
    if (error instanceof ServiceError) return error.problems?.map(({ field, code }) => [field, code])
  }
  return undefined
}

test('[ERR-3] unknown fields are named, up to eight of them', () => {
  expect(problemsOf({ name: 'a', 'b/c~d': 1 })).toEqual([['b/c~d', 'unknown-field']])
  expect(problemsOf({ c: 1 })).toEqual([
    ['name', 'missing'],
    ['c', 'unknown-field'],
  ])
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 1]))
  expect(problemsOf({ name: 'a', ...many })).toEqual(
    Array.from({ length: 8 }, (_, index) => [`k${index}`, 'unknown-field']),
  )
})
