import { expect, test } from 'vitest'
import { withCameraLimits, withLimits, type CameraLimits } from './edit-recording.ts'

const byDefault: CameraLimits = { enabled: true, retain_days: null, max_gb: null, mode: 'all' }

const file = `# My house
cameras:
  # By the gate.
  yard:
    source: demo:yard
    record:
      retain_days: 3 # the law
  door: { source: "demo:door" }
`
const bare = file.replace('    record:\n      retain_days: 3 # the law\n', '')

const of = (camera: string, limits: Partial<CameraLimits>, text = file): string =>
  withCameraLimits(text, camera, { ...byDefault, ...limits })

test('[CONF-4] a camera gets its own limits, and comments stay', () => {
  expect(of('yard', { retain_days: 30, max_gb: 2.5, mode: 'motion' })).toBe(
    file.replace('3 # the law\n', '30 # the law\n      mode: motion\n      max_gb: 2.5\n'),
  )
})

test('[CONF-4] a default is not written, and an empty table is removed', () => {
  expect(of('yard', {})).toBe(bare)
  expect(of('door', {})).toBe(file)
})

test('[CONF-4] a key that is written stays, with its default', () => {
  const off = of('yard', { enabled: false, retain_days: 3 })
  expect(off).toContain('enabled: false')
  expect(of('yard', { retain_days: 3 }, off)).toContain('enabled: true')
})

test('[CONF-4] limits of all cameras, in a file that has none', () => {
  const limits = { enabled: true, retain_days: 14, max_gb: 200 }
  expect(withLimits('', limits)).toBe('recording:\n  retain_days: 14\n  max_gb: 200\n')
  expect(withLimits('recording:\n', limits)).toContain('  max_gb: 200')
})

test('[CONF-4] demo cameras are written with the one that is changed', () => {
  expect(of('yard', { max_gb: 5 }, '')).toContain(
    'yard:\n    source: demo:yard\n    title: Yard\n    record:\n      max_gb: 5\n',
  )
})

test('[CONF-4] an alias is left to a person, and a camera that does not exist is refused', () => {
  const aliased = 'base: &r { max_gb: 5 }\ncameras:\n  yard: { source: "demo:yard", record: *r }\n'
  expect(() => of('yard', { max_gb: 9 }, aliased)).toThrow(expect.objectContaining({ reason: 'config-not-editable' }))
  expect(() => of('shed', { max_gb: 9 })).toThrow(expect.objectContaining({ reason: 'no-such-camera' }))
})

test('[CONF-4] limits that another camera repeats with an alias are not changed, since both would change', () => {
  const shared = `cameras:
  yard: { source: "demo:yard", record: &r { max_gb: 5 } }
  door: { source: "demo:door", record: *r }
  shed: { source: "demo:office" }
`
  const notEditable = expect.objectContaining({ code: 'conflict', reason: 'config-not-editable' }) as object
  expect(() => of('yard', { max_gb: 9 }, shared)).toThrow(notEditable)
  expect(() => of('yard', { max_gb: 5, retain_days: 1 }, shared)).toThrow(notEditable)
  expect(() => of('yard', {}, shared)).toThrow(notEditable)
  expect(of('yard', { max_gb: 5 }, shared)).toBe(shared)
  expect(of('shed', { max_gb: 9 }, shared)).toContain('"demo:office", record: { max_gb: 9 }')
  const all = 'recording: &r { max_gb: 5 }\ncameras:\n  yard: { source: "demo:yard", record: *r }\n'
  expect(() => withLimits(all, { enabled: true, retain_days: 14, max_gb: 200 })).toThrow(notEditable)
})
