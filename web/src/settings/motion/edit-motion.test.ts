import { describe, expect, test } from 'vitest'
import { ByHand } from '../cameras/edit-cameras.ts'
import { motionIn, withMotion } from './edit-motion.ts'

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
const tree = [
  [0, 0],
  [0.33, 0],
  [0.33, 0.5],
] as const
const clock = [
  [0.5, 0.9],
  [1, 0.9],
  [1, 1],
  [0.5, 1],
] as const
const drawn = [
  [0.1, 0.1],
  [0.2, 0.1],
  [0.2, 0.2],
] as const
const keep = new Map()
const usual = { enabled: true, sensitivity: 'medium' } as const

describe('what the file says of motion', () => {
  test('is what stands there', () => {
    expect(motionIn(file, { camera: 'yard', keep })).toEqual({
      enabled: true,
      sensitivity: 'high',
      masks: [tree, clock],
    })
  })
  test('is the usual where it says nothing', () => {
    expect(motionIn(file, { camera: 'door', keep })).toEqual({ ...usual, masks: [] })
  })
  test('is for a person where it stands elsewhere', () => {
    const aliased = 'a: &m { enabled: false }\ncameras:\n  yard:\n    source: demo:yard\n    motion: *m\n'
    expect(() => motionIn(aliased, { camera: 'yard', keep })).toThrow(ByHand)
  })
})

describe('other settings', () => {
  test('leave every comment, and all that did not change, as they were', () => {
    const masks = [
      { corners: tree, was: 0 },
      { corners: clock, was: 1 },
    ]
    const same = withMotion(file, { camera: 'yard', keep, enabled: true, sensitivity: 'high', masks })
    expect(same).toBe(file)
    const low = withMotion(file, { camera: 'yard', keep, enabled: false, sensitivity: 'low', masks })
    expect(low).toBe(
      file.replace('high # the cat', 'low # the cat').replace('0.5, 1]]\n', '0.5, 1]]\n      enabled: false\n'),
    )
  })

  test('keep the comment of a mask whose corners were moved, and add a mask below', () => {
    const moved = [...clock.slice(0, 3), [0.4, 1]] as const
    const masks = [
      { corners: tree, was: 0 },
      { corners: moved, was: 1 },
      { corners: drawn, was: undefined },
    ]
    const next = withMotion(file, { camera: 'yard', keep, enabled: true, sensitivity: 'high', masks })
    expect(next).toBe(file.replace('[0.5, 1]]\n', '[0.4, 1]]\n        - [[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]\n'))
  })

  test('take out a mask with what stands above it', () => {
    const next = withMotion(file, {
      camera: 'yard',
      keep,
      enabled: true,
      sensitivity: 'high',
      masks: [{ corners: tree, was: 0 }],
    })
    expect(next).not.toContain('clock')
    expect(motionIn(next, { camera: 'yard', keep })).toMatchObject({ masks: [tree] })
  })

  test('are written where there was no word yet, and gone again once all is as usual', () => {
    const masks = [{ corners: drawn, was: undefined }]
    const next = withMotion(file, { camera: 'door', keep, ...usual, masks })
    expect(next).toBe(`${file}    motion:\n      masks:\n        - [[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]\n`)
    expect(withMotion(next, { camera: 'door', keep, ...usual, masks: [] })).toBe(file)
  })

  test('write the demonstration cameras first where the file names none', () => {
    const demos = new Map([['yard', { source: 'demo:yard', title: 'Yard', enabled: true }]])
    const masks = [{ corners: drawn, was: undefined }]
    const next = withMotion('# empty\n', { camera: 'yard', keep: demos, ...usual, masks })
    expect(motionIn(next, { camera: 'yard', keep })).toEqual({ ...usual, masks: [drawn] })
  })
})
