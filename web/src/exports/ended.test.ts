import { expect, test } from 'vitest'
import type { Export } from '../../../server/src/api-types.ts'
import { endedSince } from './ended.ts'

const one = (id: string, state: Export['state'], more: Partial<Export> = {}): Export => ({
  id,
  camera: 'yard',
  name: '',
  start: 0,
  end: 10,
  state,
  progress: 0,
  duration: null,
  bytes: null,
  created_at: `2026-11-21T10:00:0${id}Z`,
  created_by: 'vera',
  own: true,
  ...more,
})
const ids = (exports: readonly Export[]) => exports.map(({ id }) => id)

test('a running export that is done or failed has ended', () => {
  const before = [one('3', 'running'), one('2', 'queued'), one('1', 'running')]
  expect(ids(endedSince(before, [one('3', 'done'), one('2', 'failed'), one('1', 'running')]))).toEqual(['3', '2'])
})

test('an export that started and finished between two polls has ended; an older one that moved up has not', () => {
  const before = [one('5', 'done')]
  expect(ids(endedSince(before, [one('6', 'done'), one('5', 'done'), one('1', 'done')]))).toEqual(['6'])
})

test('nothing has ended at the first poll, nor exports of other users, nor canceled ones', () => {
  const now = [one('2', 'done'), one('1', 'failed')]
  expect(endedSince(undefined, now)).toEqual([])
  const canceled = { reason: { code: 'canceled' } }
  expect(
    endedSince(
      [one('1', 'running', { own: false }), one('2', 'running')],
      [one('1', 'done', { own: false }), one('2', 'failed', canceled)],
    ),
  ).toEqual([])
})
