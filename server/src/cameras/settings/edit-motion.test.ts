import { expect, test } from 'vitest'
import { withMotion, type Mask } from './edit-motion.ts'

const file = `# our house
cameras:
  # faces the street
  yard:
    source: demo:yard # for now
    motion:
      sensitivity: high # the cat
      masks:
        # the tree
        - [[0, 0], [0.33, 0], [0.33, 0.5]]
        # the clock
        - [[0.5, 0.9], [1, 0.9], [1, 1], [0.5, 1]]
  door:
    source: demo:door
`
const tree: Mask = [
  [0, 0],
  [0.33, 0],
  [0.33, 0.5],
]
const clock: Mask = [
  [0.5, 0.9],
  [1, 0.9],
  [1, 1],
  [0.5, 1],
]
const drawn: Mask = [
  [0.1, 0.1],
  [0.2, 0.1],
  [0.2, 0.2],
]
const high = { enabled: true, sensitivity: 'high' } as const
const byDefault = { enabled: true, sensitivity: 'medium' } as const

test('[CONF-4] every comment, and all that did not change, stays', () => {
  const masks = [tree, clock]
  expect(withMotion(file, 'yard', { ...high, masks })).toBe(file)
  expect(withMotion(file, 'yard', { enabled: false, sensitivity: 'low', masks })).toBe(
    file.replace('high # the cat', 'low # the cat').replace('0.5, 1]]\n', '0.5, 1]]\n      enabled: false\n'),
  )
})

test('[CONF-4] a mask whose points were moved keeps its comment, and a new one is added below', () => {
  const moved = [...clock.slice(0, 3), [0.4, 1]]
  expect(withMotion(file, 'yard', { ...high, masks: [tree, moved, drawn] })).toBe(
    file.replace('[0.5, 1]]\n', '[0.4, 1]]\n        - [[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]\n'),
  )
})

test('[CONF-4] a removed mask takes its comment along; the others keep theirs', () => {
  const without = withMotion(file, 'yard', { ...high, masks: [tree] })
  expect(without).toBe(file.replace(/ *# the clock\n.*\n/, ''))
  const replaced = withMotion(file, 'yard', { ...high, masks: [clock, drawn] })
  expect(replaced).toContain('# the clock\n        - [[0.5, 0.9], [1, 0.9], [1, 1], [0.5, 1]]\n        - [[0.1')
})

test('[CONF-4] settings are added if the file has none, and removed once all are defaults', () => {
  const next = withMotion(file, 'door', { ...byDefault, masks: [drawn] })
  expect(next).toBe(`${file}    motion:\n      masks:\n        - [[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]\n`)
  expect(withMotion(next, 'door', { ...byDefault, masks: [] })).toBe(file)
})

test('[CONF-4] the demo cameras are written first if the file names none', () => {
  const next = withMotion('# empty\n', 'yard', { ...byDefault, masks: [drawn] })
  expect(next).toMatch(/^# empty\ncameras:\n {2}yard:\n {4}source: demo:yard\n {4}title: Yard\n {4}motion:/)
  expect(next).toContain('\n  office:')
})

test('[CONF-4] settings that are written elsewhere are left to a person', () => {
  const aliased = 'a: &m { enabled: false }\ncameras:\n  yard:\n    source: demo:yard\n    motion: *m\n'
  expect(() => withMotion(aliased, 'yard', { ...byDefault, masks: [] })).toThrow(
    expect.objectContaining({ reason: 'config-not-editable' }),
  )
})

test('[CONF-4] settings or masks that another camera repeats with an alias are not changed, since both would change', () => {
  const notEditable = expect.objectContaining({ code: 'conflict', reason: 'config-not-editable' }) as object
  const shared = file
    .replace('motion:', 'motion: &m')
    .replace('- [[0, 0]', '- &t [[0, 0]')
    .replace(
      'source: demo:door\n',
      'source: demo:door\n    motion: *m\n  shed:\n    source: demo:office\n    motion:\n      masks: [*t]\n',
    )
  expect(() => withMotion(shared, 'yard', { enabled: true, sensitivity: 'low', masks: [tree, clock] })).toThrow(
    notEditable,
  )
  expect(() => withMotion(shared, 'yard', { ...high, masks: [tree, clock, drawn] })).toThrow(notEditable)
  expect(withMotion(shared, 'yard', { ...high, masks: [tree, clock] })).toBe(shared)
  const mask = shared.replace(' &m', '').replace('    motion: *m\n', '')
  expect(() => withMotion(mask, 'yard', { ...high, masks: [drawn, clock] })).toThrow(notEditable)
  expect(withMotion(mask, 'yard', { ...high, masks: [tree, clock, drawn] })).toContain('masks: [*t]')
})
