import { expect, test } from 'vitest'
import { beforeEnd, timeInPath } from './recorded-time.ts'

const nothing = { params: {}, query: {} }

test.each([
  ['query.before', { ...nothing, query: { before: '1000' } }, 999_999],
  ['query.before', { ...nothing, query: { before: '1000.0005' } }, 1_000_000],
  ['query.before', { ...nothing, query: { before: '0' } }, -1],
  ['params.end', { ...nothing, params: { end: '5' } }, 4999],
  ['body.end', { ...nothing, body: { end: 5 } }, 4999],
  ['body.filter.before', { ...nothing, body: { filter: { before: 5 } } }, 4999],
  ['query.before', nothing, undefined],
  ['body.end', nothing, undefined],
  ['body.filter.before', { ...nothing, body: { filter: null } }, undefined],
  ['body.filter.before', { ...nothing, body: { filter: { before: null } } }, undefined],
  // Inherited properties were not sent.
  ['query.toString', nothing, undefined],
  ['query.before', { ...nothing, query: { before: 'soon' } }, NaN],
  ['query.before', { ...nothing, query: { before: ['1', '2'] } }, NaN],
])('[GRANT-3] the last moment before %s of %j: %j', (end, sent, time) => {
  expect(beforeEnd(end)(sent)).toBe(time)
})

test('[GRANT-3] the time in a path is in milliseconds', () => {
  expect(timeInPath('id')({ ...nothing, params: { id: '1795469991000' } })).toBe(1_795_469_991_000)
  expect(timeInPath('id')(nothing)).toBeNaN()
})
