import { expect, test } from 'vitest'
import type { ReviewSummary } from '../../../server/src/api-types.ts'
import { daysIn, totalByTab, unseenAlerts, unseenByTab } from './counts.ts'

const summary: ReviewSummary = {
  days: [
    { day: '2026-11-21', camera: 'yard', severity: 'alert', total: 5, unseen: 2 },
    { day: '2026-11-21', camera: 'yard', severity: 'detection', total: 9, unseen: 9 },
    { day: '2026-11-20', camera: 'door', severity: 'alert', total: 1, unseen: 1 },
  ],
}

test('the menu counts only alerts', () => {
  expect(unseenAlerts(summary)).toBe(3)
})

test('tabs count unseen items of the chosen camera and day', () => {
  expect(unseenByTab(summary, {})).toEqual({ alerts: 3, detections: 9, all: 12 })
  expect(unseenByTab(summary, { camera: 'yard', show: 'all', unseen: true })).toEqual({
    alerts: 2,
    detections: 9,
    all: 11,
  })
  expect(unseenByTab(summary, { day: '2026-11-20' })).toEqual({ alerts: 1, detections: 0, all: 1 })
  expect(totalByTab(summary, { camera: 'yard' })).toEqual({ alerts: 5, detections: 9, all: 14 })
})

test('each day is listed once', () => {
  expect(daysIn(summary)).toEqual(['2026-11-21', '2026-11-20'])
})
