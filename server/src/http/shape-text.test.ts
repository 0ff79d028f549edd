import { Type, type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { keysOf, shapeText } from './shape-text.ts'

test.each<[string, TSchema, string]>([
  ['text', Type.String(), 'string'],
  ['a fixed word', Type.Literal('ok'), '"ok"'],
  ['one of some words', Type.Enum(['a', 'b']), '"a" | "b"'],
  ['something or nothing', Type.Union([Type.Integer(), Type.Null()]), 'integer | null'],
  ['a list', Type.Array(Type.String()), 'string[]'],
  ['a list of either', Type.Array(Type.Union([Type.String(), Type.Null()])), '(string | null)[]'],
  ['by name', Type.Record(Type.String(), Type.Number()), '{ [name]: number }'],
  ['anything', Type.Unknown(), 'any'],
  ['nothing in it', Type.Object({}), '{}'],
])('%s', (_, schema, text) => {
  expect(shapeText(schema)).toBe(text)
})

test('an object has one line per key, with its description', () => {
  const schema = Type.Object({
    name: Type.String(),
    role: Type.Optional(Type.Object({ cameras: Type.Array(Type.String({ description: 'Their names.' })) })),
    at: Type.Number({ description: 'Unix seconds.' }),
  })
  expect(shapeText(schema)).toBe(
    ['{', '  name: string', '  role?: {', '    cameras: string[]', '  }', '  at: number  // Unix seconds.', '}'].join(
      '\n',
    ),
  )
})

test('lists keys one by one', () => {
  const schema = Type.Object({
    user: Type.String(),
    level: Type.Optional(Type.Enum(['a'], { description: 'Or graver.' })),
  })
  expect(keysOf(schema)).toEqual([
    { name: 'user', shape: 'string', needed: true, description: '' },
    { name: 'level', shape: '"a"', needed: false, description: 'Or graver.' },
  ])
})
