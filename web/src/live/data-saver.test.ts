import { expect, test } from 'vitest'
import { lowDataOf } from './data-saver.ts'

test.each([
  ['a browser that says nothing', undefined, {}, { on: false }],
  ['a fast connection', undefined, { saveData: false, effectiveType: '4g' }, { on: false }],
  ['a browser that was told to save data', undefined, { saveData: true }, { on: true, why: 'asked' }],
  ['a slow connection', undefined, { effectiveType: '3g' }, { on: true, why: 'slow' }],
  ['switched off in spite of it', 'off', { saveData: true, effectiveType: '2g' }, { on: false }],
  ['switched on', 'on', { effectiveType: '4g' }, { on: true, why: 'chosen' }],
] as const)('%s', (_, choice, connection, low) => {
  expect(lowDataOf(choice, connection)).toEqual(low)
})
