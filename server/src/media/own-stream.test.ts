import { expect, test } from 'vitest'
import type { Fragment } from './mp4/fragment.ts'
import type { InitSegment } from './mp4/init-segment.ts'
import { ownStream } from './own-stream.ts'

const init = {} as InitSegment
const fragment = {} as Fragment

test('[NODE-2] a stream is recorded and analyzed only while its camera is pulled here', () => {
  const got: string[] = []
  let isHere = true
  const stream = ownStream(
    { begin: () => got.push('begin'), fragment: () => got.push('fragment'), end: () => got.push('end') },
    () => isHere,
  )
  stream.begin(init)
  stream.fragment(fragment, 0)
  // The lease ended, and the next fragment is the first to notice.
  isHere = false
  stream.fragment(fragment, 1)
  expect(got.splice(0)).toEqual(['begin', 'fragment', 'end'])
  // A stream of another instance.
  stream.end()
  stream.begin(init)
  stream.fragment(fragment, 2)
  // A lease that begins in the middle of a stream starts nothing without its beginning.
  isHere = true
  stream.fragment(fragment, 3)
  expect(got.splice(0)).toEqual([])
  stream.begin(init)
  stream.fragment(fragment, 4)
  stream.end()
  expect(got).toEqual(['begin', 'fragment', 'end'])
})
