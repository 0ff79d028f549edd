import { describe, expect, test } from 'vitest'
import { emptyGrant, isValidAt, type Grant, type Suspended } from './grant.ts'
import { wallClockIn } from './hours.ts'
import { fakeRole, fakeRoles } from '../../test/support/fake-roles.ts'
import { roleNameProblem, rolesFrom, type CustomRole } from './role.ts'

const roles = fakeRoles(new Map([['guard', ['yard']], ['admin', ['yard']]])) // oxfmt-ignore

test('[ROLE-1, ROLE-10] a role that does not exist grants nothing', () => {
  expect([roles.grantOf('typo'), roles.grantOf(undefined)]).toEqual([emptyGrant, emptyGrant])
  expect(['admin', 'viewer', 'guard', 'typo'].map(roles.exists)).toEqual([true, true, true, false])
  expect(roles.names).toEqual(['admin', 'viewer', 'guard'])
})

test('[ROLE-1, ROLE-2, ROLE-11] the actions of each role', () => {
  const reading = ['live', 'audio', 'history', 'review', 'export', 'download']
  expect([...roles.grantOf('guard').actions]).toEqual(reading)
  expect(roles.grantOf('viewer')).toEqual({ actions: roles.grantOf('guard').actions, cameras: 'all' })
  const onService = [
    'access.try',
    'audit.read',
    'cameras.manage',
    'config.manage',
    'exports.manage',
    'links.manage',
    'log.read',
    'roles.manage',
    'screens.manage',
    'tokens.manage',
    'sessions.manage',
    'system.read',
    'users.manage',
  ]
  expect([...roles.grantOf('admin').actions].sort()).toEqual([...reading, 'share', 'delete', ...onService].sort())
})

test('[ROLE-2] a custom role cannot replace a built-in one', () => {
  expect(roles.grantOf('admin').cameras).toBe('all')
})

const allowed = ({ actions, suspended }: Grant) => suspended ?? actions.has('live')

describe('[GRANT-4] the grant of a role by the time', () => {
  const noon = Date.parse('2026-11-23T12:00:00Z')
  const minute = 60_000
  const day = 86_400_000
  const made = (limits: Partial<CustomRole>) => {
    let now = noon
    const all = rolesFrom(new Map([['guard', fakeRole(['yard'], limits)]]), {
      now: () => now,
      wallClock: wallClockIn('UTC'),
    })
    return {
      at: (time: number) => all.grantOf('guard', time),
      now: () => all.grantOf('guard'),
      set: (to: number) => (now = to),
      all,
    }
  }
  test('without limits it never changes', () => {
    const { at } = made({})
    expect(at(0)).toBe(at(noon))
    expect(at(0).valid).toBeUndefined()
  })
  test.each<[string, Partial<CustomRole>, [number, true | Suspended][]]>([
    [
      'hours',
      { hours: [{ days: ['mon'], from: 12 * 60, to: 12 * 60 + 2 }] },
      [
        [noon - 1, 'hours'],
        [noon, true],
        [noon + 2 * minute - 1, true],
        [noon + 2 * minute, 'hours'],
        // The clock is set back.
        [noon + minute, true],
        [noon - day, 'hours'],
        [noon + 7 * day, true],
      ],
    ],
    [
      'an end',
      { validUntil: noon },
      [
        [noon - 1, true],
        [noon, 'over'],
        [noon - 1, true],
      ],
    ],
    [
      'a beginning',
      { validFrom: noon },
      [
        [noon - 1, 'not-yet'],
        [noon, true],
        [noon - 1, 'not-yet'],
      ],
    ],
    [
      'all of them',
      { validFrom: noon - day, validUntil: noon + day, hours: [{ days: ['mon'], from: 0, to: 24 * 60 }] },
      [
        [noon - day - 1, 'not-yet'],
        [noon - day, 'hours'],
        [noon, true],
        [noon + day, 'over'],
      ],
    ],
  ])('with %s', (_which, limits, steps) => {
    const { at } = made(limits)
    for (const [time, expected] of steps) {
      expect([new Date(time).toISOString(), allowed(at(time))]).toEqual([new Date(time).toISOString(), expected])
      expect(isValidAt(at(time), time)).toBe(true)
    }
  })
  test('[GRANT-3] history begins with the minute, so that nothing older is shown at its end', () => {
    const { at } = made({ history: 3 * day })
    expect(at(noon).since).toBe(noon + minute - 3 * day)
    expect(at(noon + minute - 1).since).toBe(noon + minute - 3 * day)
    expect(at(noon + minute).since).toBe(noon + 2 * minute - 3 * day)
    expect(at(noon)).toMatchObject({ history: 3 * day, valid: { from: noon, until: noon + minute } })
  })
  test('it stays the same object until it can change', () => {
    const byMinute = made({ hours: [{ days: ['mon'], from: 0, to: 24 * 60 }] })
    expect(byMinute.at(noon)).toBe(byMinute.at(noon + minute - 1))
    expect(byMinute.at(noon)).toEqual({
      ...byMinute.all.coverageOf('guard'),
      valid: { from: noon, until: noon + minute },
    })
    const ending = made({ validUntil: noon })
    expect(ending.at(0)).toBe(ending.at(noon - 1))
    expect(ending.at(0).valid).toEqual({ from: -Infinity, until: noon })
  })
  test('the time is now unless another is asked for', () => {
    const { now, set } = made({ validUntil: noon })
    expect(allowed(now())).toBe('over')
    set(noon - 1)
    expect(allowed(now())).toBe(true)
  })
  test('a role that is suspended keeps its cameras for those who administer it', () => {
    const { at, all } = made({ validUntil: noon })
    expect([...(at(noon).cameras as Set<string>)]).toEqual([])
    expect(all.coverageOf('guard').cameras).toEqual(new Set(['yard']))
    expect(all.coverageOf('typo').cameras).toEqual(new Set())
  })
  test('[GRANT-1] actions and all cameras', () => {
    const all = rolesFrom(new Map([['guard', fakeRole('all', { allow: ['live', 'delete'] })]]), {
      now: () => noon,
      wallClock: wallClockIn('UTC'),
    })
    expect(all.grantOf('guard')).toEqual({ actions: new Set(['live', 'delete']), cameras: 'all' })
  })
})

test.each([
  ['guard', undefined],
  ['Night.shift_2', undefined],
  ['a'.repeat(64), undefined],
  ['a'.repeat(65), 'invalid-role-name'],
  ['night shift', 'invalid-role-name'],
  ['', 'invalid-role-name'],
  ['._', 'no-letter'],
  ['admin', 'built-in-name'],
  ['Viewer', 'built-in-name'],
  ['__proto__', 'reserved-word'],
  ['Constructor', 'reserved-word'],
  ['prototype', 'reserved-word'],
])('a role named %j: %s', (name, problem) => {
  expect(roleNameProblem(name)).toBe(problem)
})

test('roles with the same cameras and actions share their sets, whatever their hours', () => {
  const always = fakeRole(['yard', 'door'])
  const all = fakeRoles(new Map([['one', ['yard', 'door']], ['two', ['yard', 'door']], ['other', ['yard']]])) // oxfmt-ignore
  expect([...all.grantOf('one').actions]).toEqual([...always.allow])
  expect(all.grantOf('two').actions).toBe(all.grantOf('one').actions)
  expect(all.grantOf('two').cameras).toBe(all.grantOf('one').cameras)
  expect(all.grantOf('other').cameras).toEqual(new Set(['yard']))
})
