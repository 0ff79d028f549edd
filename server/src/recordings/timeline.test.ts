import { expect, test } from 'vitest'
import { timelineOf } from './timeline.ts'

const span = (start: number, end: number, motion = 0) => ({ start, end, motion })

test('consecutive segments are one range; a gap ends it', () => {
  const { spans } = timelineOf([span(0, 10_000), span(10_000, 20_000), span(60_000, 70_000)], 0, 100_000, 1)
  expect(spans).toEqual([
    { start: 0, end: 20_000 },
    { start: 60_000, end: 70_000 },
  ])
})

test('segments that cross the edges are cut', () => {
  expect(timelineOf([span(0, 10_000), span(10_000, 20_000)], 5000, 12_000, 1).spans).toEqual([
    { start: 5000, end: 12_000 },
  ])
})

test('a clock that was set back hides no earlier recording', () => {
  expect(timelineOf([span(0, 30_000), span(10_000, 20_000)], 0, 60_000, 1).spans).toEqual([{ start: 0, end: 30_000 }])
})

test('motion is the maximum of each part', () => {
  const spans = [span(0, 10_000, 3), span(10_000, 20_000), span(20_000, 30_000, 7), span(25_000, 30_000, 9)]
  expect(timelineOf(spans, 0, 40_000, 4).motion).toEqual([3, 0, 9, 0])
})

test('without recordings the timeline is empty', () => {
  expect(timelineOf([], 0, 1000, 2)).toEqual({ spans: [], motion: [0, 0] })
})
