import { expect, test } from 'vitest'
import { changeOf, coverageOf, defaultActions, isLimited, sameKeys, type RoleKeys } from './role-keys.ts'
import { workingHours } from './week.ts'

const all = ['yard', 'gate', 'office']
const groups = [{ name: 'outside', cameras: ['yard', 'missing', 'gate'] }]
const covered = (entries: readonly string[]) => coverageOf(entries, all, groups)

const role: RoleKeys = {
  cameras: ['yard'],
  allow: [...defaultActions],
  history_days: null,
  hours: [],
  valid_from: null,
  valid_until: null,
}
const nothing = { added: [], removed: [] }

test.each<[what: string, changed: Partial<RoleKeys>, expected: object]>([
  ['nothing', {}, {}],
  ['a camera more', { cameras: ['yard', 'office'] }, { cameras: { added: ['office'], removed: [] } }],
  ['another camera', { cameras: ['office'] }, { cameras: { added: ['office'], removed: ['yard'] } }],
  ['its group instead', { cameras: ['group:outside'] }, { cameras: { added: ['gate'], removed: [] } }],
  ['its group too', { cameras: ['yard', 'group:outside'] }, { cameras: { added: ['gate'], removed: [] } }],
  ['a group that has no camera', { cameras: ['yard', 'group:none'] }, {}],
  ['all cameras', { cameras: ['all'] }, { cameras: { added: ['gate', 'office'], removed: [] } }],
  [
    'other actions',
    { allow: ['delete', 'history', 'live', 'audio', 'review'] },
    { actions: { added: ['delete'], removed: ['export', 'download'] } },
  ],
  ['days', { history_days: 3 }, { times: true }],
  ['hours', { hours: [workingHours] }, { times: true }],
  ['an end', { valid_until: '2027-01-01T00:00:00Z' }, { times: true }],
])('[GRANT-1] what the users of a role gain and lose: %s', (_what, changed, expected) => {
  expect(changeOf(role, { ...role, ...changed }, covered)).toEqual({
    cameras: nothing,
    actions: nothing,
    times: false,
    ...expected,
  })
})

test('[GRANT-1] the order of cameras, actions and days makes no difference, that of hours does', () => {
  const one = { ...role, cameras: ['yard', 'gate'], hours: [workingHours] }
  const other = { ...workingHours, days: workingHours.days.toReversed() }
  expect(sameKeys(one, { ...one, cameras: ['gate', 'yard'], allow: one.allow.toReversed(), hours: [other] })).toBe(true)
  expect(sameKeys(one, { ...one, hours: [{ ...workingHours, to: '20:00' }] })).toBe(false)
  expect(sameKeys(one, { ...one, valid_from: '2027-01-01T00:00:00Z' })).toBe(false)
})

test('[GRANT-1] a role is limited if it differs from viewer in more than its cameras', () => {
  expect(isLimited(role)).toBe(false)
  expect(isLimited({ ...role, allow: [...defaultActions, 'delete'] })).toBe(true)
  expect(isLimited({ ...role, history_days: 3 })).toBe(true)
})
