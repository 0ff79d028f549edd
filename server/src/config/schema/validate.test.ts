import { Type, type TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { expect, test } from 'vitest'
import { ConfigSchema } from '../../app/config/config.ts'
import { nullableKey, section, table, type Schema } from '../key.ts'
import { loadText } from '../load.ts'
import { problemLines } from '../problem-collector.ts'

const description = ''

function load(schema: TSchema, text: string) {
  return loadText(
    text,
    { schema, complete: (read) => read, fill: (written) => written, check: () => {}, normalize: (filled) => filled },
    () => undefined,
  )
}

/** Problems of `key: <text>` if the key has this schema. */
const problemsOf = (schema: TSchema, text: string): string[] =>
  problemLines('f', load(section({ key: schema }, { description }), `key: ${text}`).problems)

const allowed = 'file'

test.each([
  // keyword                schema                                                    allowed        rejected, with its problem
  ['type boolean', Type.Boolean(), 'true', '"true"', 'f:1:6 key: Invalid value "true". Allowed: true or false.'],
  ['type string', Type.String(), '"1"', '1', 'f:1:6 key: Invalid value 1. Allowed: text. Put it in quotes.'],
  ['type integer', Type.Integer(), '2', '2.5', 'f:1:6 key: Invalid value 2.5. Allowed: an integer'],
  ['type number', Type.Number(), '2.5', '.nan', 'f:1:6 key: Invalid value .nan. Allowed: a number'],
  [
    'type null',
    nullableKey(Type.String(), { description }),
    'null',
    '[]',
    'f:1:1 key: Found a list. Allowed: text or null.',
  ],
  ['type array', Type.Array(Type.String()), '[a]', '{a: b}', 'f:1:1 key: Found a map. Allowed: a list, each text.'],
  ['type object', section({}, { description }), '{}', '[a]', 'f:1:1 key: Found a list. Allowed: a map of keys.'],
  [
    'type of a table',
    table(Type.String(), { description }),
    '{a: b}',
    'a',
    'key: Invalid value "a". Allowed: a map of names.',
  ],
  ['const', Type.Literal('a'), 'a', 'b', 'f:1:6 key: Invalid value "b". Allowed: a.'],
  ['enum', Type.Enum(['a', 'b']), 'b', 'c', 'f:1:6 key: Invalid value "c". Allowed: a or b.'],
  ['minimum', Type.Integer({ minimum: 2 }), '2', '1', 'f:1:6 key: Invalid value 1. Allowed: an integer of at least 2.'],
  ['maximum', Type.Integer({ minimum: 2, maximum: 4 }), '4', '5', 'Invalid value 5. Allowed: an integer from 2 to 4'],
  ['exclusiveMinimum', Type.Number({ exclusiveMinimum: 2 }), '2.1', '2', 'Invalid value 2. Allowed: a number above 2'],
  ['exclusiveMaximum', Type.Number({ exclusiveMaximum: 2, allowed }), '1.9', '2', 'Invalid value 2. Allowed: a path'],
  ['multipleOf', Type.Integer({ multipleOf: 2, allowed }), '4', '5', 'Invalid value 5. Allowed: a path'],
  ['minLength', Type.String({ minLength: 1 }), 'a', '""', 'Found empty text. Allowed: non-empty text.'],
  ['maxLength', Type.String({ maxLength: 2, allowed }), 'ab', 'abc', 'Invalid value "abc". Allowed: a path'],
  ['pattern', Type.String({ pattern: '^a+$', allowed }), 'aa', 'ab', 'f:1:6 key: Invalid value "ab". Allowed: a path'],
  [
    'format',
    Type.String({ format: 'ipv4', allowed }),
    '192.0.2.1',
    '192.0.2',
    'Invalid value "192.0.2". Allowed: a path',
  ],
  ['items', Type.Array(Type.Integer()), '[1, 2]', '[1, b]', 'f:1:10 key[1]: Invalid value "b". Allowed: an integer'],
  [
    'minItems',
    Type.Array(Type.String(), { minItems: 1 }),
    '[a]',
    '[]',
    'f:1:1 key: Empty list. Allowed: a list, each text.',
  ],
  [
    'minItems of two',
    Type.Array(Type.String(), { minItems: 2, allowed }),
    '[a, b]',
    '[a]',
    'key: Found a list. Allowed',
  ],
  ['maxItems', Type.Array(Type.String(), { maxItems: 1, allowed }), '[a]', '[a, b]', 'key: Found a list. Allowed'],
  ['uniqueItems', Type.Array(Type.String(), { uniqueItems: true, allowed }), '[a, b]', '[a, a]', 'key: Found a list.'],
  [
    'anyOf, with a list',
    nullableKey(Type.Array(Type.Integer()), { description }),
    'null',
    '[1, b]',
    'f:1:10 key[1]: Invalid value "b". Allowed: an integer',
  ],
  [
    'anyOf',
    nullableKey(Type.Integer(), { description }),
    '1',
    'b',
    'f:1:6 key: Invalid value "b". Allowed: an integer or null',
  ],
  ['required', section({ a: Type.String() }, { description }), '{a: b}', '{}', 'f:1:1 key.a: Required. Allowed: text.'],
  ['required, in an empty section', section({ a: Type.String() }, { description }), '{a: b}', '', 'key.a: Required.'],
  [
    'required, in an empty section of a table',
    table(section({ a: Type.String() }, { description }), { description }),
    '{x: {a: b}}',
    '{x: }',
    'f:1:7 key.x.a: Required. Allowed: text.',
  ],
  [
    'additionalProperties',
    section({ title: nullableKey(Type.String(), { description }) }, { description }),
    '{title: b}',
    '{titl: b}',
    'f:1:7 key.titl: Unknown key "titl". Did you mean key.title?',
  ],
  [
    'patternProperties',
    table(Type.Integer(), { description }),
    '{a: 1}',
    '{"a\\nb": x}',
    'Invalid value "x". Allowed: an integer',
  ],
  ['names of a table', table(Type.Integer(), { description, names: '^a+$' }), '{aa: 1}', '{b: 1}', 'Unknown key "b".'],
])('[CONF-2] %s', (_keyword, schema, good, bad, problem) => {
  expect(problemsOf(schema, good)).toEqual([])
  const found = problemsOf(schema, bad)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(problem)
})

const wrongName = (name: string) => ({ problem: { code: 'a-name', message: 'is no name' }, shown: name.slice(0, 1) })

test('[CONF-2] a list or a table can have problems with their own codes', () => {
  const wrongSize = { code: 'a-pair', message: 'is no pair' }
  const pair = Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, wrongSize })
  expect(problemsOf(Type.Array(pair), '[[1, 2], [1], [1, 2, 3], [1, b]]')).toEqual([
    'f:1:15 key[1]: is no pair',
    'f:1:20 key[2]: is no pair',
    'f:1:35 key[3][1]: Invalid value "b". Allowed: an integer.',
  ])
  expect(problemsOf(table(Type.Integer(), { description, names: '^a+$', wrongName }), '{secret: x}')).toEqual([
    'f:1:7 key.s: is no name',
  ])
})

test('[CONF-2] every problem is reported, up to two hundred, and a request still stops after a few', () => {
  for (const count of [200, 201, 300]) {
    const each = (text: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => text(index)).join(', ')
    for (const found of [
      problemsOf(section({}, { description }), `{${each((index) => `k${index}: 1`)}}`),
      problemsOf(Type.Array(Type.String()), `[${each(() => '1')}]`),
    ]) {
      const hasMore = found.at(-1)?.endsWith('Only 200 problems are shown.') ?? false
      expect([found.length, hasMore]).toEqual(count === 200 ? [200, false] : [201, true])
    }
  }
  expect(Settings.Get().maxErrors).toBe(8)
})

test('what is rejected is replaced by its default', () => {
  const seen: unknown[] = []
  const schema = section(
    {
      count: Type.Integer({ default: 3 }),
      limit: nullableKey(Type.Integer(), { description, default: 7 }),
      names: table(Type.Array(Type.String()), { description }),
      list: Type.Array(Type.Integer({ default: 0 }), { default: [9] }),
      title: Type.String(),
    },
    { description },
  )
  loadText(
    'count: a\nlimit: b\nnames: {b: 1, 2: [x], a: [y, 5]}\nlist: [1, c]\nother: 1\n',
    {
      schema,
      complete: (read) => read,
      fill: (written) => written,
      check: (filled) => void seen.push(filled),
      normalize: (filled) => filled,
    },
    () => undefined,
  )
  const names = new Map([
    ['b', []],
    ['2', ['x']],
    ['a', ['y', '']],
  ])
  expect(seen).toEqual([{ count: 3, limit: 7, names, list: [1, 0], title: '' }])
})

/** The keywords that the description of a schema doesn't mention. */
const unspoken = [
  'pattern',
  'format',
  'maxLength',
  'exclusiveMaximum',
  'multipleOf',
  'maxItems',
  'uniqueItems',
] as const

function unexplained(path: string, schema: Schema): string[] {
  const within = [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(schema.patternProperties ?? {}),
    ...Object.entries({ ...(schema.items && { items: schema.items }) }),
    ...Object.entries(schema.anyOf ?? []),
  ].flatMap(([key, inner]) => unexplained(`${path}.${key}`, inner))
  const isSilent = unspoken.some((keyword) => Object.hasOwn(schema, keyword)) && !schema.allowed && !schema.wrongSize
  return isSilent ? [path, ...within] : within
}

test('[CONF-2] each key says what it allows', () => {
  expect(unexplained('', ConfigSchema)).toEqual([])
  expect(unexplained('', section({ a: Type.String({ maxLength: 1 }) }, { description }))).toEqual(['.a'])
})
