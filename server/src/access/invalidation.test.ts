import { expect, test } from 'vitest'
import { bounded, parseInvalidation } from './invalidation.ts'

test.each<[unknown, unknown]>([
  [
    { kind: 'user', key: 'ann', more: 1 },
    { kind: 'user', key: 'ann' },
  ],
  [
    { kind: 'session', id: 's1', more: 1 },
    { kind: 'session', id: 's1' },
  ],
  [
    { kind: 'credential', id: 't1', more: 1 },
    { kind: 'credential', id: 't1' },
  ],
  [{ kind: 'credential', key: 'ann' }, { kind: 'all' }],
  [{ kind: 'config' }, { kind: 'config' }],
  [{ kind: 'all' }, { kind: 'all' }],
  [{ kind: 'user' }, { kind: 'all' }],
  [{ kind: 'user', key: 7 }, { kind: 'all' }],
  [{ kind: 'user', id: 's1' }, { kind: 'all' }],
  [{ kind: 'session', id: null }, { kind: 'all' }],
  [{ kind: 'session', key: 'ann' }, { kind: 'all' }],
  [{ kind: 'cluster' }, undefined],
  [{ kind: 'deleted-files' }, undefined],
  [{ kind: 'clusters' }, { kind: 'all' }],
  [{ kind: 'other', key: 'ann', id: 's1' }, { kind: 'all' }],
  [null, { kind: 'all' }],
  [undefined, { kind: 'all' }],
  ['config', { kind: 'all' }],
  ['cluster', { kind: 'all' }],
])('[ROLE-10] message %j of another instance: %j', (message, invalidation) => {
  expect(parseInvalidation(message)).toEqual(invalidation)
})

test('more than a hundred invalidations become one of everything', () => {
  const invalidations = Array.from({ length: 101 }, (_, n) => ({ kind: 'session', id: `s${n}` }) as const)
  expect(bounded(invalidations.slice(1))).toEqual(invalidations.slice(1))
  expect(bounded(invalidations)).toEqual([{ kind: 'all' }])
})
