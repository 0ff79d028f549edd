import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { serializerFor } from './serialization.ts'

test('a response contains only what its schema names', () => {
  const user = Type.Object({ name: Type.String(), role: Type.Optional(Type.String()) })
  const stored = { name: 'ann', hash: 'secret', session: { token: 'secret' } }
  expect(serializerFor(user)(stored)).toBe('{"name":"ann"}')
  expect(serializerFor(Type.Array(user))([stored])).toBe('[{"name":"ann"}]')
  expect(serializerFor(Type.Object({ user }))({ user: stored, more: 'secret' })).toBe('{"user":{"name":"ann"}}')
})
