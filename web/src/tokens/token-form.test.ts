import { describe, expect, test } from 'vitest'
import { newTokenSearch } from './new-token-search.ts'
import { tokenOf, valuesFrom } from './token-form.ts'

const own = { cameras: ['yard', 'door'], actions: ['live', 'audio', 'system.read'], hasPassword: true }
const now = Date.parse('2026-05-01T12:00:00Z') / 1000

const filled = (query: Readonly<Record<string, unknown>>) => valuesFrom(newTokenSearch(query), own, now)

describe('[KEY-1] a link fills in the form', () => {
  test.each<[query: Record<string, unknown>, all: boolean, cameras: string[], unavailable: string[]]>([
    [{}, true, [], []],
    [{ cameras: 'yard, door' }, false, ['yard', 'door'], []],
    [{ cameras: 'yard,yard' }, false, ['yard'], []],
    [{ cameras: 'yard,cellar' }, false, ['yard'], ['cellar']],
    // Never all cameras, if it names any.
    [{ cameras: 'cellar' }, false, [], ['cellar']],
    [{ cameras: '' }, false, [], []],
    [{ cameras: ',' }, false, [], []],
    [{ cameras: null }, false, [], []],
    [{ cameras: ['yard'] }, false, [], []],
    [{ cameras: 12 }, false, [], ['12']],
  ])('%j: all cameras %s, %j, not available %j', (query, all, cameras, unavailable) => {
    const [values, missing] = filled(query)
    expect([values.all, values.cameras, missing.cameras]).toEqual([all, cameras, unavailable])
  })

  test.each<[query: Record<string, unknown>, actions: string[], unavailable: string[]]>([
    [{}, ['live'], []],
    [{ actions: 'audio,live' }, ['audio', 'live'], []],
    [{ actions: 'live,delete' }, ['live'], ['delete']],
    [{ actions: 'system.read' }, ['system.read'], []],
    [{ actions: '' }, [], []],
    [{ actions: 'fly' }, [], ['fly']],
  ])('%j: actions %j, not available %j', (query, actions, unavailable) => {
    const [values, missing] = filled(query)
    expect([values.actions, missing.actions]).toEqual([actions, unavailable])
  })

  test.each<[expires: unknown, at: string | null, unavailable: boolean]>([
    [undefined, '2026-07-30T12:00:00.000Z', false],
    ['30d', '2026-05-31T12:00:00.000Z', false],
    ['7d', '2026-05-08T12:00:00.000Z', false],
    ['never', null, false],
    ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00.000Z', false],
    ['2026-04-01T00:00:00Z', '2026-07-30T12:00:00.000Z', true],
    ['0d', '2026-07-30T12:00:00.000Z', true],
    ['soon', '2026-07-30T12:00:00.000Z', true],
    ['', '2026-07-30T12:00:00.000Z', true],
  ])('expires=%j: %s', (expires, at, unavailable) => {
    const [values, missing] = filled(expires === undefined ? {} : { expires })
    expect([tokenOf(values, now).expires_at, missing.expires]).toEqual([at, unavailable])
  })

  test('only a request for all cameras has none', () => {
    expect(tokenOf(filled({ cameras: 'cellar' })[0], now)).toMatchObject({ cameras: [] })
    expect(tokenOf(filled({ name: ' Home ' })[0], now)).toEqual({
      name: 'Home',
      actions: ['live'],
      expires_at: '2026-07-30T12:00:00.000Z',
      ends_with_password: true,
    })
  })

  test("[OIDC-3] a token of an identity provider's user doesn't depend on a password", () => {
    const [values] = valuesFrom({}, { ...own, hasPassword: false }, now)
    expect(tokenOf(values, now)).toMatchObject({ ends_with_password: false })
  })
})
