import { expect, test } from 'vitest'
import { dataSaverOf } from './data-saver.ts'

test.each([
  ['a browser without the API', undefined, {}, { on: false }],
  ['a fast connection', undefined, { saveData: false, effectiveType: '4g' }, { on: false }],
  ['a browser with data saving on', undefined, { saveData: true }, { on: true, reason: 'requested' }],
  ['a slow connection', undefined, { effectiveType: '3g' }, { on: true, reason: 'slow' }],
  ['switched off by the user despite both', 'off', { saveData: true, effectiveType: '2g' }, { on: false }],
  ['switched on by the user', 'on', { effectiveType: '4g' }, { on: true, reason: 'chosen' }],
] as const)('%s', (_, choice, connection, low) => {
  expect(dataSaverOf(choice, connection)).toEqual(low)
})
