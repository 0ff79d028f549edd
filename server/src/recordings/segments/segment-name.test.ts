import { expect, test } from 'vitest'
import { draftNamed, draftOf, segmentFile, segmentNamed } from './segment-name.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const start = Date.UTC(2026, 10, 21, 10, 30, 15, 250)

test('a path contains camera and time, and is parsed back', () => {
  const file = segmentFile(cameraKey('side_yard'), start)
  expect(file).toBe('2026-11-21/side_yard/10-30-15.250.mp4')
  expect(segmentNamed(file)).toEqual({ camera: 'side_yard', start })
  expect(segmentNamed('2026-11-21/side_yard/10-30-15.250-1.mp4')).toEqual({ camera: 'side_yard', start })
  expect(draftNamed(draftOf(file, 'a1b2', 7))).toEqual({ file, writer: 'a1b2' })
})

test.each([
  '2026-11-21/side_yard/10-30-15.250.mp4.a1b2-7.part',
  '2026-11-21/../10-30-15.250.mp4',
  '2026-13-41/yard/10-30-15.250.mp4',
  '2026-11-21/yard/10-99-15.250.mp4',
  'yard/10-30-15.250.mp4',
  '2026-11-21/yard/notes.txt',
])('%s isn’t a segment', (file) => {
  expect(segmentNamed(file)).toBeUndefined()
})
