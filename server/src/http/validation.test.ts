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

const query = validatorFor(
  Type.Object({
    limit: Type.Optional(Type.Integer()),
    at: Type.Optional(Type.Number()),
    seen: Type.Optional(Type.Boolean()),
  }),
  'querystring',
)

test.each([
  [
    { limit: '20', at: '-1.5e3', seen: 'true' },
    { limit: 20, at: -1500, seen: true },
  ],
  [{ at: '1750000000.25' }, { at: 1_750_000_000.25 }],
  [{}, {}],
])('[ERR-3] the query %j is read as %j', (text, read) => {
  expect(query(text)).toEqual(read)
})

test.each([
  ...['true', '', ' 5', '1.5', '0x10', '1n', '+5', '1e2', 'null'].map((limit) => ({ limit })),
  ...['true', '', ' 5', '0x10', '1.', '.5', 'NaN', 'Infinity'].map((at) => ({ at })),
])('[ERR-3] the query %j contains no number', (text) => {
  const [[name]] = Object.entries(text) as [[string, string]]
  const problem = expect.objectContaining({ field: name, code: 'wrong-type' }) as unknown
  expect(() => query(text)).toThrow(expect.objectContaining({ problems: [problem] }) as Error)
})
