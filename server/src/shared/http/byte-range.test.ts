import { expect, test } from 'vitest'
import { sliceOf } from './byte-range.ts'

const etag = '"v1"'

test.each([
  [undefined, 200, 0, 1000],
  ['bytes=0-', 206, 0, 1000],
  ['bytes=0-99', 206, 0, 100],
  ['bytes=999-', 206, 999, 1000],
  ['bytes=500-5000', 206, 500, 1000],
  ['bytes=-100', 206, 900, 1000],
  ['bytes=-5000', 206, 0, 1000],
  ['bytes=1000-', 416, 0, 0],
  ['bytes=-0', 416, 0, 0],
  ['bytes=9-2', 200, 0, 1000],
  ['bytes=-', 200, 0, 1000],
  ['bytes=0-1,5-6', 200, 0, 1000],
  ['items=0-1', 200, 0, 1000],
  ['bytes=a-b', 200, 0, 1000],
] as const)('%s of 1000 bytes: %i, from %i to %i', (range, status, from, to) => {
  const slice = sliceOf({ range, ifRange: undefined }, 1000, etag)
  expect({ status: slice.status, from: slice.from, to: slice.to }).toEqual({ status, from, to })
  if (status === 206) expect(slice.headers['content-range']).toBe(`bytes ${from}-${to - 1}/1000`)
  if (status !== 416) expect(slice.headers['content-length']).toBe(String(to - from))
})

test('a range of another version selects the whole file', () => {
  expect(sliceOf({ range: 'bytes=5-9', ifRange: '"v0"' }, 1000, etag).status).toBe(200)
  expect(sliceOf({ range: 'bytes=5-9', ifRange: etag }, 1000, etag).status).toBe(206)
})
