import { expect, test } from 'vitest'
import { cameraActions, type Action } from './action.ts'
import {
  allInScope,
  emptyGrant,
  includesCamera,
  inScope,
  isValidAt,
  limitGrant,
  narrowScope,
  sameGrant,
  scopeFor,
  scopeOf,
  type Grant,
  type GrantLimits,
} from './grant.ts'

const grant = (actions: readonly Action[], cameras: 'all' | readonly string[]): Grant => ({
  actions: new Set(actions),
  cameras: cameras === 'all' ? 'all' : new Set(cameras),
})
const guard = grant(cameraActions, ['yard', 'door'])

test.each<[Grant, Grant, boolean]>([
  [guard, guard, true],
  [guard, grant(cameraActions, ['door', 'yard']), true],
  [guard, grant(cameraActions, ['yard']), false],
  [guard, grant(cameraActions, ['yard', 'office']), false],
  [guard, grant(cameraActions, ['office', 'cellar']), false],
  [guard, grant(cameraActions, ['yard', 'door', 'office']), false],
  [guard, grant(cameraActions, 'all'), false],
  [grant(cameraActions, 'all'), guard, false],
  [grant(cameraActions, 'all'), grant(cameraActions, 'all'), true],
  [grant(cameraActions, 'all'), grant([...cameraActions, 'audit.read'], 'all'), false],
  [guard, grant(['live'], ['yard', 'door']), false],
  [guard, emptyGrant, false],
  [{ ...guard, history: 5 }, { ...guard, history: 5, since: 7 }, true],
  [{ ...guard, history: 5 }, { ...guard, history: 6 }, false],
  [{ ...guard, until: 5 }, { ...guard, until: 6 }, false],
  [emptyGrant, { ...emptyGrant, suspended: 'hours' }, false],
])('[ROLE-10] %o and %o are the same grant: %s', (one, other, same) => {
  expect(sameGrant(one, other)).toBe(same)
})

test('[ROLE-4, ROLE-5] a scope has the cameras of the grant', () => {
  const scope = scopeOf(guard)
  expect(['yard', 'door', 'office'].map((camera) => inScope(scope, camera))).toEqual([true, true, false])
  expect(['yard', 'door', 'office'].map((camera) => includesCamera(guard, camera))).toEqual([true, true, false])
  expect(inScope(scopeOf(grant([], 'all')), 'office')).toBe(true)
  expect(inScope(scopeOf(emptyGrant), 'yard')).toBe(false)
})

test.each<[Grant, readonly string[], boolean]>([
  [guard, ['yard'], true],
  [guard, ['door', 'yard'], true],
  [guard, ['yard', 'office'], false],
  [guard, ['office', 'yard'], false],
  [guard, [], false],
  [emptyGrant, ['yard'], false],
  [grant([], 'all'), ['yard', 'office'], true],
  [grant([], 'all'), [], true],
])('[KEY-2] in the scope of %o, what belongs to the cameras %j is: %s', (from, cameras, isIn) => {
  expect(allInScope(scopeOf(from), cameras)).toBe(isIn)
})

const narrowed = (from: Grant, requested: readonly string[] | undefined) => {
  const { cameras } = narrowScope(scopeOf(from), requested)
  return cameras === 'all' ? cameras : [...cameras]
}

test('[ROLE-4] narrowing a scope keeps the requested cameras that it has', () => {
  expect(narrowed(guard, ['yard', 'office'])).toEqual(['yard'])
  expect(narrowed(guard, [])).toEqual([])
  expect(narrowed(guard, undefined)).toEqual(['yard', 'door'])
  expect(narrowed(grant([], 'all'), ['office'])).toEqual(['office'])
  expect(narrowed(grant([], 'all'), undefined)).toBe('all')
})

test.each<[string, Grant, GrantLimits, Grant]>([
  ['no limits', grant(['live', 'audit.read'], ['yard']), {}, grant(['live'], ['yard'])],
  ['cameras', guard, { cameras: new Set(['door', 'office']) }, grant(cameraActions, ['door'])],
  ['cameras of all', grant(['live'], 'all'), { cameras: new Set(['door']) }, grant(['live'], ['door'])],
  ['actions', guard, { actions: new Set(['live', 'audit.read']) }, grant(['live'], ['yard', 'door'])],
  ['no action', guard, { actions: new Set() }, grant([], ['yard', 'door'])],
  [
    'an action of the service',
    grant(['audit.read'], 'all'),
    { actions: new Set(['audit.read']) },
    grant(['audit.read'], 'all'),
  ],
  ['an action the owner needs', guard, { needs: ['share'] }, guard],
  ['an action the owner lacks', grant(['live'], 'all'), { needs: ['share'] }, emptyGrant],
  ['actions of which the owner lacks one', grant(['share', 'audio'], 'all'), { needs: ['share', 'live'] }, emptyGrant],
  ['a role without a grant', emptyGrant, { cameras: new Set(['yard']) }, emptyGrant],
])('what a grant and limits both allow: %s', (_what, of, limits, both) => {
  const { actions, cameras } = limitGrant(of, limits)
  expect({ actions, cameras }).toEqual(both)
})

test('[GRANT-3] [GRANT-4] limits keep the history and the time of the role', () => {
  const time = { history: 5, since: 7, suspended: 'hours', valid: { from: 1, until: 2 } } as const
  expect(limitGrant({ ...guard, ...time }, {})).toMatchObject(time)
  expect(limitGrant({ ...guard, ...time }, { needs: ['audit.read'] })).toMatchObject(time)
})

test.each<[number | undefined, number]>([
  [undefined, 10],
  [9, 10],
  [11, 11],
])(
  '[LINK-3] of a time that begins at 10, and a role whose recordings begin at %s, both see what begins at %s',
  (since, both) => {
    const limited = limitGrant({ ...guard, ...(since !== undefined && { since }) }, { time: { since: 10, until: 20 } })
    expect(limited).toMatchObject({ since: both, until: 20 })
  },
)

test('[GRANT-4] a grant without limits in time is always valid', () => {
  expect([0, Infinity].map((now) => isValidAt(guard, now))).toEqual([true, true])
})

test('[GRANT-2] the scope of an action has the cameras if the grant allows it', () => {
  expect(scopeFor(grant(['live'], ['yard']), 'live')).toEqual(scopeOf(grant(['live'], ['yard'])))
  expect(scopeFor(grant(['live'], ['yard']), 'audio')).toEqual(scopeOf(emptyGrant))
})

test('limits that remove nothing share the sets of the role, so that thousands of tokens need no more memory', () => {
  const limited = limitGrant(guard, { cameras: new Set(['door', 'yard', 'office']) })
  expect(limited.actions).toBe(guard.actions)
  expect(limited.cameras).toBe(guard.cameras)
})
