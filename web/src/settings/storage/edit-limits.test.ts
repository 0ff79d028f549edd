import { expect, test } from 'vitest'
import { ByHand } from '../cameras/edit-cameras.ts'
import { withLimits, type Limits } from './edit-limits.ts'

const usual: Limits = { enabled: true, retain_days: null, max_gb: null, mode: 'all' }
const none = new Map()

const file = `# My house
cameras:
  # By the gate.
  yard:
    source: demo:yard
    record:
      retain_days: 3 # the law
  door: { source: "demo:door" }
`

const of = (camera: string | undefined, limits: Partial<Limits>, text = file): string =>
  withLimits(text, { camera, limits: { ...usual, ...limits }, keep: none })

test('a camera gets limits of its own, and comments stay', () => {
  expect(of('yard', { retain_days: 30, max_gb: 2.5, mode: 'motion' })).toBe(`# My house
cameras:
  # By the gate.
  yard:
    source: demo:yard
    record:
      retain_days: 30 # the law
      mode: motion
      max_gb: 2.5
  door: { source: "demo:door" }
`)
})

test('what is as usual is not written; a table that says nothing goes', () => {
  expect(of('yard', {})).toBe(`# My house
cameras:
  # By the gate.
  yard:
    source: demo:yard
  door: { source: "demo:door" }
`)
  expect(of('door', {})).toBe(file)
})

test('turned off, and on again where the word is there', () => {
  const off = of('yard', { enabled: false, retain_days: 3 })
  expect(off).toContain('enabled: false')
  expect(of('yard', { retain_days: 3 }, off)).toContain('enabled: true')
})

test('limits of all cameras, in a file that says nothing of them', () => {
  const limits = { enabled: true, retain_days: 14, max_gb: 200 }
  expect(withLimits('', { camera: undefined, limits, keep: none })).toBe(
    'recording:\n  retain_days: 14\n  max_gb: 200\n',
  )
  expect(withLimits('recording:\n', { camera: undefined, limits, keep: none })).toContain('  max_gb: 200')
})

test('cameras that the file does not name are written with the one that is changed', () => {
  const keep = new Map([
    ['yard', { source: 'demo:yard', title: 'Yard', enabled: true }],
    ['door', { source: 'demo:door', title: '', enabled: true }],
  ])
  expect(withLimits('', { camera: 'yard', limits: { ...usual, max_gb: 5 }, keep })).toBe(`cameras:
  yard:
    source: demo:yard
    title: Yard
    record:
      max_gb: 5
  door:
    source: demo:door
`)
})

test.each([
  ['an anchor', 'base: &r { max_gb: 5 }\ncameras:\n  yard: { source: "demo:yard", record: *r }\n'],
  ['no such camera', 'cameras: { door: { source: "demo:door" } }\n'],
])('%s is left to a person', (_, text) => {
  expect(() => of('yard', { max_gb: 9 }, text)).toThrow(ByHand)
})
