import { expect, test } from 'vitest'
import { cameraActions, type Action } from './action.ts'
import { emptyGrant, includesCamera, inScope, narrowScope, sameGrant, scopeOf, type Grant } from './grant.ts'

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
