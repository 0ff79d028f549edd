import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { canEditCameras, withCamera, withNewCamera, withoutCamera } from './edit-cameras.ts'

const file = `# our home
auth:
  roles:
    guard: [yard, door] # by day
    neighbor: [yard]
cameras:
  # faces the street
  yard:
    source: demo:yard # for now
    title: Yard
  door:
    source: demo:door
`
const office = { name: 'office', source: 'demo:office', title: 'Office', enabled: true }
const asIs = { name: undefined, source: undefined, title: undefined, enabled: undefined }

interface Read {
  readonly cameras: Readonly<Record<string, object>>
  readonly auth: { readonly roles: Readonly<Record<string, readonly string[]>> }
}
const read = (text: string) => parse(text) as Read
const names = (text: string) => Object.keys(read(text).cameras)

describe('adding', () => {
  test('[CONF-4] leaves everything else as it was', () => {
    expect(withNewCamera(file, office, false)).toBe(`${file}  office:\n    source: demo:office\n    title: Office\n`)
  })

  test.each(['', '# mine\n', 'cameras:\n', 'cameras: {}\n', 'cameras: # none\n', 'auth: { session_length: 60 }\n'])(
    '[CONF-4] into %j',
    (text) => {
      const after = withNewCamera(text, office, false)
      expect(read(after).cameras).toEqual({ office: { source: 'demo:office', title: 'Office' } })
      for (const word of ['# mine', '# none', '{ session_length: 60 }']) {
        expect(after.includes(word)).toBe(text.includes(word))
      }
    },
  )

  test('[CONF-4] keeps the demo cameras only if asked to', () => {
    expect(names(withNewCamera('', office, false))).toEqual(['office'])
    expect(names(withNewCamera('', { ...office, name: 'shed' }, true))).toEqual(['yard', 'door', 'office', 'shed'])
    expect(names(withNewCamera('cameras: {}\n', { ...office, name: 'shed' }, true))).toEqual(['shed'])
  })

  test('[CONF-4] a name that is taken is refused, also one that YAML reads as a number', () => {
    const taken = { code: 'conflict', reason: 'camera-name-taken' }
    expect(() => withNewCamera(file, { ...office, name: 'yard' }, false)).toThrow(expect.objectContaining(taken))
    const numbered = 'cameras:\n  7: {source: "demo:yard"}\n'
    expect(() => withNewCamera(numbered, { ...office, name: '7' }, false)).toThrow(expect.objectContaining(taken))
    expect(() => withNewCamera('', office, true)).toThrow(expect.objectContaining(taken))
  })

  test('[CONF-4] a camera called __proto__ is a camera', () => {
    expect(withNewCamera('', { ...office, name: '__proto__' }, false)).toContain('__proto__:\n    source: demo:office')
  })
})

describe('changing', () => {
  test('[CONF-4] keeps comments, and keys that the request leaves out', () => {
    const source = 'rtsp://u:{SERVICE_CAM}@192.0.2.7/s'
    const after = withCamera(file, 'yard', { ...asIs, source, title: null, enabled: false })
    expect(after).toContain(`  # faces the street\n  yard:\n    source: ${source} # for now\n`)
    expect(after).toContain('    enabled: false\n')
    expect(after).not.toContain('title: Yard')
    expect(withCamera(file, 'yard', asIs)).toBe(file)
  })

  test('[CONF-4] roles follow a new name', () => {
    const after = withCamera(file, 'yard', { ...asIs, name: 'garden' })
    expect(read(after).auth.roles).toEqual({ guard: ['garden', 'door'], neighbor: ['garden'] })
    expect(names(after)).toEqual(['garden', 'door'])
    expect(after).toContain('# by day')
  })

  test('[CONF-4] to a name that is taken, or of a camera that does not exist, is refused', () => {
    expect(() => withCamera(file, 'yard', { ...asIs, name: 'door' })).toThrow(
      expect.objectContaining({ reason: 'camera-name-taken' }),
    )
    expect(() => withCamera(file, 'shed', asIs)).toThrow(expect.objectContaining({ code: 'not-found' }))
  })

  test('[CONF-4] a demo camera writes all of them out', () => {
    expect(read(withCamera('', 'door', { ...asIs, title: 'Porch' })).cameras).toMatchObject({
      yard: { source: 'demo:yard' },
      door: { source: 'demo:door', title: 'Porch' },
      office: { source: 'demo:office' },
    })
  })
})

describe('removing', () => {
  test('[CONF-4] takes it out of the roles that list others', () => {
    const after = withoutCamera(file, 'yard')
    expect(names(after)).toEqual(['door'])
    expect(read(after).auth.roles).toEqual({ guard: ['door'], neighbor: ['yard'] })
    expect(after).toContain('# by day')
  })

  test('[CONF-4] the last one leaves none, and not the demo cameras', () => {
    expect(withoutCamera('cameras:\n  a:\n    source: demo:yard\n', 'a')).toBe('cameras: {}\n')
    expect(names(withoutCamera('', 'yard'))).toEqual(['door', 'office'])
  })

  test('[CONF-4] of a camera that does not exist is refused', () => {
    expect(() => withoutCamera(file, 'shed')).toThrow(expect.objectContaining({ reason: 'no-such-camera' }))
  })
})

test.each(['a: [', '- a\n', 'cameras: *x\n', 'x: &c {a: {source: "demo:yard"}}\ncameras: *c\n'])(
  '[CONF-4] %j is left to a person',
  (text) => {
    expect(canEditCameras(text)).toBe(false)
    expect(() => withNewCamera(text, office, false)).toThrow(
      expect.objectContaining({ code: 'conflict', reason: 'config-not-editable' }),
    )
  },
)

test('[CONF-4] an anchor that an alias repeats is not removed', () => {
  const text = 'cameras:\n  a: &a {source: "demo:yard"}\n  b: *a\n'
  expect(canEditCameras(text)).toBe(true)
  const notEditable = expect.objectContaining({ reason: 'config-not-editable' })
  expect(() => withoutCamera(text, 'a')).toThrow(notEditable)
  expect(() => withCamera(text, 'b', { ...asIs, title: 'B' })).toThrow(notEditable)
})

describe('[CONF-4] what an alias repeats', () => {
  const notEditable = expect.objectContaining({ code: 'conflict', reason: 'config-not-editable' }) as object

  test.each([
    ['a camera', 'cameras:\n  a: &a {source: "demo:yard"}\n  b: *a\n', { title: 'A' }],
    ['a camera', 'cameras:\n  a: &a {source: "demo:yard"}\n  b: *a\n', { enabled: false }],
    ['a camera', 'cameras:\n  a: &a {source: "demo:yard"}\n  b: *a\n', { name: 'c', inherit: true }],
    ['a source', 'cameras:\n  a: {source: &s "demo:yard"}\n  b: {source: *s}\n', { source: 'demo:door' }],
    ['a name', 'cameras:\n  &n a: {source: "demo:yard"}\n  b: {source: "demo:door", title: *n}\n', { name: 'c' }],
    ['all cameras', 'cameras: &c\n  a: {source: "demo:yard"}\nx: *c\n', { title: 'A' }],
  ])('is not changed, since all of it would change: %s, in %j', (_what, text, change) => {
    expect(() => withCamera(text, 'a', { ...asIs, ...change })).toThrow(notEditable)
  })

  test('is not changed by adding a camera, or the demo cameras, either', () => {
    expect(() => withNewCamera('cameras: &c\n  a: {source: "demo:yard"}\nx: *c\n', office, false)).toThrow(notEditable)
    expect(() => withNewCamera('cameras: &c\nx: *c\n', office, false)).toThrow(notEditable)
  })

  test('stays when a camera that repeats only its source gets another one', () => {
    const text = 'cameras:\n  a: {source: &s "demo:yard"}\n  b: {source: *s}\n'
    expect(withCamera(text, 'b', { ...asIs, source: 'demo:door' })).toBe(text.replace('*s', 'demo:door'))
    expect(withCamera(text, 'a', { ...asIs, source: 'demo:yard' })).toBe(text)
  })

  const lists = `auth:
  roles:
    family: &f {cameras: &c [&y yard, door], allow: [live]}
    neighbor: *f
    guard: *c
    guest: [*y]
cameras:
  yard: {source: "demo:yard"}
  door: {source: "demo:door"}
camera_groups:
  all: &g [yard, door]
  here: *g
`

  test('is renamed in roles and groups, where every list has the new name', () => {
    expect(withCamera(lists, 'yard', { ...asIs, name: 'garden' })).toBe(
      lists.replaceAll('yard', 'garden').replace('demo:garden', 'demo:yard'),
    )
    const titled = lists.replace('"demo:door"', '"demo:door", title: *y')
    expect(() => withCamera(titled, 'yard', { ...asIs, name: 'garden' })).toThrow(notEditable)
  })

  test('is removed from roles and groups', () => {
    expect(withoutCamera(lists, 'door')).toBe(
      lists.replaceAll(', door', '').replace('  door: {source: "demo:door"}\n', ''),
    )
    expect(() => withoutCamera(lists, 'yard')).toThrow(notEditable)
  })
})
