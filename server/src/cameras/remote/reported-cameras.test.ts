import { beforeEach, expect, test } from 'vitest'
import { statusOf, type ReportedCamera } from './camera-report.ts'
import { createReportedCameras, type ReportedCameras } from './reported-cameras.ts'

const camera: ReportedCamera = {
  state: 'online',
  resolution: '1280x720',
  fps: 25,
  codec: 'avc1.4D401F',
  recording: true,
  recording_state: 'recording',
  motion_state: 'active',
}

let reports: ReportedCameras
let notified: (string | undefined)[][]
beforeEach(() => {
  reports = createReportedCameras()
  notified = []
  reports.subscribe((...change) => notified.push(change))
})

test('[NODE-3] a camera is as the instance that pulls it reports', () => {
  expect(reports.of('one', 'yard')).toBe('unknown')
  reports.connected('one')
  reports.receive('one', { key: 'yard', camera })
  expect(reports.of('one', 'yard')).toEqual(camera)
  expect(reports.of('two', 'yard')).toBe('unknown')
  reports.receive('one', { key: 'yard', camera: { ...camera, recording: false } })
  expect(reports.of('one', 'yard')).toMatchObject({ recording: false })
  expect(notified).toEqual([
    ['one', undefined],
    ['one', 'yard'],
    ['one', 'yard'],
  ])
})

test('[NODE-3] nothing is known of an instance that is unavailable, until it reports again', () => {
  reports.connected('one')
  reports.receive('one', { key: 'yard', camera })
  reports.away('one')
  expect(reports.of('one', 'yard')).toBe('away')
  reports.receive('one', { key: 'yard', camera })
  expect(reports.of('one', 'yard')).toBe('away')
  reports.connected('one')
  expect(reports.of('one', 'yard')).toBe('unknown')
})

test('a connection that was interrupted for a moment changes nothing', () => {
  reports.connected('one')
  reports.receive('one', { key: 'yard', camera })
  reports.connected('one')
  expect(reports.of('one', 'yard')).toEqual(camera)
})

test.each([
  null,
  7,
  {},
  { key: 'yard' },
  { key: 7, camera },
  { key: 'yard', camera: { ...camera, state: 'flying' } },
  { key: 'yard', camera: { ...camera, recording: 'yes' } },
])('a report that isn’t one is left out: %j', (report) => {
  reports.connected('one')
  reports.receive('one', report)
  expect(reports.of('one', 'yard')).toBe('unknown')
})

test('a report has the status that a supervisor has', () => {
  const { resolution, fps, codec } = camera
  expect(statusOf(camera)).toEqual({ state: 'online', resolution, fps, codec })
  const gone = { ...camera, resolution: null, fps: null, codec: null }
  const noVideo = { resolution: null, fps: null, codec: null }
  expect(statusOf({ ...gone, state: 'connecting' })).toEqual({ state: 'connecting', ...noVideo })
  const reason = { code: 'no-data', values: { seconds: 20 } }
  expect(statusOf({ ...gone, state: 'offline', detail: 'No data.', reason })).toEqual({
    state: 'offline',
    problem: { ...reason, message: 'No data.' },
    ...noVideo,
  })
})
