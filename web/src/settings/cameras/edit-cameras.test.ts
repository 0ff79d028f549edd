import { describe, expect, test } from 'vitest'
import { ByHand, readCameras, withCamera, withoutCamera, type CameraEntry } from './edit-cameras.ts'

const none = new Map<string, CameraEntry>()
const demos = new Map([['yard', { source: 'demo:yard', title: 'Yard', enabled: true }]])
const file = `# the house
auth:
  roles:
    guard: [yard, door] # by day
    neighbour: [yard]
cameras:
  # faces the street
  yard:
    source: demo:yard # for now
    title: Yard
  door:
    source: demo:door
`
const entry = { source: 'demo:office', title: 'Office', enabled: true }

test('reads cameras and roles', () => {
  const { cameras, roles } = readCameras(file)
  expect(cameras?.get('yard')).toEqual({ source: 'demo:yard', title: 'Yard', enabled: true })
  expect(roles.get('guard')).toEqual(['yard', 'door'])
  expect(readCameras('# nothing\n').cameras).toBeUndefined()
  expect(readCameras('cameras: {}\n').cameras?.size).toBe(0)
})

describe('adding', () => {
  test('leaves all else as it was', () => {
    expect(withCamera(file, { before: undefined, name: 'office', entry, keep: none })).toBe(
      `${file}  office:\n    source: demo:office\n    title: Office\n`,
    )
  })
  test.each(['', '# mine\n', 'cameras:\n', 'cameras: {}\n', 'auth: { enabled: true }\n'])('into %j', (text) => {
    const after = withCamera(text, { before: undefined, name: 'office', entry, keep: none })
    expect([...(readCameras(after).cameras ?? [])]).toEqual([['office', entry]])
    expect(after).toContain(text.startsWith('#') ? '# mine' : '')
  })
  test('beside what was shown until now', () => {
    const after = withCamera('', { before: undefined, name: 'office', entry, keep: demos })
    expect([...(readCameras(after).cameras?.keys() ?? [])]).toEqual(['yard', 'office'])
  })
})

describe('changing', () => {
  test('keeps comments, and what is not asked for', () => {
    const after = withCamera(file, {
      before: 'yard',
      name: 'yard',
      entry: { source: 'rtsp://u:{SERVICE_CAM}@192.0.2.7/s', title: '', enabled: false },
      keep: none,
    })
    expect(after).toContain('  # faces the street\n  yard:\n    source: rtsp://u:{SERVICE_CAM}@192.0.2.7/s # for now\n')
    expect(after).toContain('    enabled: false\n')
    expect(after).not.toContain('title: Yard')
  })
  test('a new name is followed by the roles', () => {
    const after = withCamera(file, { before: 'yard', name: 'garden', entry: { ...entry }, keep: none })
    expect([...readCameras(after).roles.values()]).toEqual([['garden', 'door'], ['garden']])
    expect([...(readCameras(after).cameras?.keys() ?? [])]).toEqual(['garden', 'door'])
    expect(after).toContain('# by day')
  })
})

describe('removing', () => {
  test('takes it out of the roles that list others', () => {
    const { cameras, roles } = readCameras(withoutCamera(file, 'yard', none))
    expect([...(cameras?.keys() ?? [])]).toEqual(['door'])
    expect([...roles.values()]).toEqual([['door'], ['yard']])
  })
  test('the last one leaves none, and not the demo cameras', () => {
    expect(withoutCamera('cameras:\n  a:\n    source: demo:yard\n', 'a', none)).toBe('cameras: {}\n')
    expect(readCameras(withoutCamera('', 'yard', demos)).cameras?.size).toBe(0)
  })
})

test.each(['a: [', '- a\n', 'cameras: *x\n', 'cameras: &x {a: {source: demo:yard}}\nlogger: *y\n'])(
  '%j is left to a person',
  (text) => {
    expect(() => withCamera(text, { before: undefined, name: 'b', entry, keep: none })).toThrow(ByHand)
  },
)
