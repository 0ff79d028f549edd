import { expect, test } from 'vitest'
import en from '../../i18n/en/screens.json' with { type: 'json' }
import type { Texts } from '../../i18n/texts.ts'
import {
  halfHours,
  newScreen,
  problemsOf,
  screenOf,
  timeText,
  upTo,
  valuesOf,
  type ScreenValues,
} from './screen-form.ts'

const texts = en.screens as unknown as Texts<'screens'>['screens']
const hall: ScreenValues = { ...newScreen, name: 'Hall', cameras: ['yard'] }

test('a form becomes a screen and back', () => {
  const screen = screenOf({ ...hall, name: ' Hall ', columns: '2', cameras_per_page: '4', dims: true })
  expect(screen).toEqual({
    name: 'Hall',
    cameras: ['yard'],
    audio: false,
    layout: { columns: 2, cameras_per_page: 4, rotate_seconds: 15, dim: { from: '22:00', until: '06:00' } },
  })
  expect(screenOf(valuesOf(screen))).toEqual(screen)
  expect(screenOf(hall).layout).toEqual({ columns: null, cameras_per_page: null, rotate_seconds: 15, dim: null })
})

test('without turns, the hidden field for their seconds can be empty', () => {
  expect(screenOf({ ...hall, rotate_seconds: '' }).layout.rotate_seconds).toBe(15)
  expect(screenOf({ ...hall, rotate_seconds: 20 }).layout.rotate_seconds).toBe(20)
})

test('a number that another client chose is one of the choices', () => {
  expect(upTo(3, '')).toEqual(['1', '2', '3'])
  expect(upTo(3, '2')).toEqual(['1', '2', '3'])
  expect(upTo(3, '20')).toEqual(['1', '2', '3', '20'])
})

test('the times of a day', () => {
  expect([halfHours.length, halfHours[0], halfHours[45]]).toEqual([48, '00:00', '22:30'])
  expect([timeText('22:30', 'de'), timeText('00:00', 'en-GB')]).toEqual(['22:30', '00:00'])
})

test.each<[change: Partial<ScreenValues>, field: keyof ScreenValues | undefined]>([
  [{}, undefined],
  [{ name: '  ' }, 'name'],
  [{ cameras: [] }, 'cameras'],
  [{ cameras_per_page: '4', rotate_seconds: '' }, 'rotate_seconds'],
  [{ cameras_per_page: '4', rotate_seconds: 4 }, 'rotate_seconds'],
  [{ cameras_per_page: '4', rotate_seconds: 7.5 }, 'rotate_seconds'],
  [{ rotate_seconds: '' }, undefined],
  [{ dims: true }, undefined],
])('%j has a problem at %s', (change, field) => {
  const problems = Object.entries(problemsOf({ ...hall, ...change }, texts)).filter(([, text]) => text !== undefined)
  expect(problems.map(([name]) => name)).toEqual(field === undefined ? [] : [field])
})
