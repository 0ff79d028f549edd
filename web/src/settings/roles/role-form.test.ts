import { beforeAll, expect, test } from 'vitest'
import { loadTexts } from '../../i18n/catalogs.ts'
import { defaultActions, type RoleKeys } from '../../users/role-keys.ts'
import { workingHours } from '../../users/week.ts'
import { keysIn, problemsIn, valuesOf, type RoleValues } from './role-form.ts'

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})

const role: RoleKeys = {
  cameras: ['yard'],
  allow: [...defaultActions],
  history_days: 2.5,
  hours: [workingHours],
  valid_from: '2027-01-01T01:00:00.250+01:00',
  valid_until: null,
}

test('[GRANT-1] what is not changed is sent as it was, and times as RFC 3339', () => {
  const values = valuesOf(role)
  expect(keysIn(values, role)).toEqual(role)
  const at = new Date(2027, 2, 4, 5, 6)
  expect(keysIn({ ...values, valid_until: '2027-03-04T05:06' }, role).valid_until).toBe(at.toISOString())
  expect(keysIn({ ...values, valid_from: '' }, role).valid_from).toBeNull()
  expect(keysIn({ ...values, history_days: '7' }, role).history_days).toBe(7)
  expect(keysIn({ ...values, history_days: null }, role).history_days).toBeNull()
})

test('[GRANT-1] a time that the browser can’t read stays as it is, and can be changed', () => {
  const began = { ...role, valid_until: '2027-02-40T00:00:00Z' }
  const values = valuesOf(began)
  expect(keysIn({ ...values, valid_from: '2027-01-01T00:00' }, began).valid_until).toBe(began.valid_until)
  expect(keysIn({ ...values, valid_until: '2027-03-04T05:06' }, began).valid_until).toMatch(/^2027-03-0\dT/)
})

test('[GRANT-1] a time in the hour that occurs twice stays on its side of the clock change', async () => {
  // From 02:45 summer time to 02:30 winter time, 45 minutes later.
  const began = { ...role, valid_from: '2026-10-25T00:45:00.000Z', valid_until: '2026-10-25T01:30:00.000Z' }
  const later = { ...valuesOf(began), valid_until: '2026-10-25T02:31' }
  expect(keysIn(later, began).valid_until).toBe('2026-10-25T01:31:00.000Z')
  const found = problemsIn(later, began, await loadTexts('en', ['roles', 'grants']))
  expect(found.valid_until).toBeUndefined()
})

test.each<[what: string, changed: Partial<RoleValues>, problem: object]>([
  ['nothing', {}, {}],
  ['no camera', { cameras: [] }, { cameras: 'Select at least one camera, or delete the role instead.' }],
  ['no action', { allow: [] }, { allow: 'Select at least one action, or delete the role instead.' }],
  ['no days', { history_days: '' }, { history_days: 'Enter a number greater than 0.' }],
  ['zero days', { history_days: 0 }, { history_days: 'Enter a number greater than 0.' }],
  ['hours on no day', { hours: [workingHours, { ...workingHours, days: [] }] }, { hours: 'Select at least one day.' }],
  ['hours without a time', { hours: [{ ...workingHours, to: '' }] }, { hours: 'Enter two different times.' }],
  ['hours between equal times', { hours: [{ ...workingHours, to: '07:00' }] }, { hours: 'Enter two different times.' }],
  ['an end before the start', { valid_until: '2020-01-01T00:00' }, { valid_until: 'The end must be after the start.' }],
])('[GRANT-5] what is wrong is said at the field: %s', async (_what, changed, problem) => {
  const found = problemsIn({ ...valuesOf(role), ...changed }, role, await loadTexts('en', ['roles', 'grants']))
  expect(Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined))).toEqual(problem)
})
