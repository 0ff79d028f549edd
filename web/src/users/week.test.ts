import { expect, test } from 'vitest'
import type { Hours } from './role-keys.ts'
import { crossesMidnight, runsOf, weekOf, workingHours } from './week.ts'

/** The days with hours, as `07:00-19:00` in minutes. */
const shown = (hours: readonly Hours[]) =>
  Object.fromEntries(
    [...weekOf(hours)]
      .filter(([, parts]) => parts.length > 0)
      .map(([day, parts]) => [day, parts.map(({ from, to }) => `${from}-${to}`).join(' ')]),
  )

test.each<[what: string, hours: readonly Hours[], week: Readonly<Record<string, string>>]>([
  ['none', [], {}],
  ['weekdays', [workingHours], { mon: '420-1140', tue: '420-1140', wed: '420-1140', thu: '420-1140', fri: '420-1140' }],
  ['a whole day', [{ days: ['wed'], from: '00:00', to: '24:00' }], { wed: '0-1440' }],
  ['across midnight', [{ days: ['sat'], from: '22:00', to: '06:00' }], { sat: '1320-1440', sun: '0-360' }],
  ['from Sunday to Monday', [{ days: ['sun'], from: '23:30', to: '00:30' }], { mon: '0-30', sun: '1410-1440' }],
  ['until midnight as 00:00', [{ days: ['mon'], from: '22:00', to: '00:00' }], { mon: '1320-1440' }],
  [
    'several in a day, some overlapping',
    [
      { days: ['mon'], from: '14:00', to: '16:00' },
      { days: ['mon'], from: '07:00', to: '09:00' },
      { days: ['mon'], from: '08:00', to: '10:00' },
    ],
    { mon: '420-600 840-960' },
  ],
  [
    'incomplete ones',
    [
      { days: ['mon'], from: '', to: '10:00' },
      { days: ['tue'], from: '10:00', to: '10:00' },
    ],
    {},
  ],
])('[GRANT-1] the week of hours: %s', (_what, hours, week) => {
  expect(shown(hours)).toEqual(week)
})

test('hours end on the next day only if their end is before their start', () => {
  expect(crossesMidnight({ from: '22:00', to: '06:00' })).toBe(true)
  expect(crossesMidnight({ from: '22:00', to: '24:00' })).toBe(false)
  expect(crossesMidnight(workingHours)).toBe(false)
  expect(crossesMidnight({ from: '07:00', to: '' })).toBe(false)
})

test('days that follow each other belong together, in the order of the week', () => {
  expect(runsOf(['sun', 'tue', 'mon', 'wed', 'sat'])).toEqual([
    ['mon', 'tue', 'wed'],
    ['sat', 'sun'],
  ])
})
