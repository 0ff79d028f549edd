import { expect, test } from 'vitest'
import { item, keysOf, schemaAt, valuesOf, type JsonSchema } from './schema.ts'

const schema: JsonSchema = {
  properties: {
    auth: {
      properties: {
        enabled: { type: 'boolean', default: true },
        same_site: { enum: ['lax', 'none'], default: 'lax' },
        limit: { anyOf: [{ type: 'string' }, { type: 'null' }], default: '10/minute;60/hour', examples: ['1/second'] },
        roles: { patternProperties: { '^.*$': { type: 'array', items: { type: 'string', description: 'a camera' } } } },
      },
    },
  },
}

test('is found by its path, through user-defined names and lists', () => {
  expect(keysOf(schemaAt(schema, ['auth'])!).map(([name]) => name)).toEqual(['enabled', 'same_site', 'limit', 'roles'])
  expect(schemaAt(schema, ['auth', 'roles', 'guard', item])).toMatchObject({ description: 'a camera' })
  expect(schemaAt(schema, ['auth', 'nothing', 'here'])).toBeUndefined()
  expect(schemaAt(schema, ['constructor'])).toBeUndefined()
})

test.each([
  ['enabled', ['true', 'false']],
  ['same_site', ['lax', 'none']],
  ['limit', ['null', '"10/minute;60/hour"', '"1/second"']],
  ['roles', []],
])('offers the values of %s: %j', (name, values) => {
  expect(valuesOf(schemaAt(schema, ['auth', name])!)).toEqual(values)
})
