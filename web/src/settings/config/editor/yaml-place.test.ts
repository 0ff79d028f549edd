import { expect, test } from 'vitest'
import { item } from './schema.ts'
import { namesBelow, pathOfLine, placeIn } from './yaml-place.ts'

const file =
  'auth:\n  # who\n  roles:\n    guard: [yard]\n  session_length: 60\ncameras:\n  yard:\n    source: demo:yard\n'

test.each([
  ['', 'key', []],
  ['au', 'key', []],
  ['auth:\n  se', 'key', ['auth']],
  ['auth:\n  ', 'key', ['auth']],
  ['auth:\n  roles:\n    guard: [yard]\n  ses', 'key', ['auth']],
  ['auth:\n  enabled: ', 'value', ['auth', 'enabled']],
  ['auth:\n  enabled: fa', 'value', ['auth', 'enabled']],
  ['auth:\n  roles:\n    guard: [ya', 'value', ['auth', 'roles', 'guard', item]],
  ['auth:\n  roles:\n    guard: [yard, ', 'value', ['auth', 'roles', 'guard', item]],
  ['auth:\n  roles:\n    guard:\n      - ya', 'value', ['auth', 'roles', 'guard', item]],
  ['auth:\n  roles:\n    guard:\n    - ya', 'value', ['auth', 'roles', 'guard', item]],
  ['auth:\n\n# a: b\n  ses', 'key', ['auth']],
  ['cameras:\n  "yard":\n    ti', 'key', ['cameras', 'yard']],
] as const)('%j is a %s at %j', (text, kind, path) => {
  expect(placeIn(text, text.length)).toMatchObject({ kind, path })
})

test.each(['# au', 'auth: # fa', 'auth:\n  enabled: true # t'])('%j is neither a key nor a value', (text) => {
  expect(placeIn(text, text.length)).toBeUndefined()
})

test('the text typed so far is replaced', () => {
  expect(placeIn('auth:\n  ena', 11)?.from).toBe(8)
  expect(placeIn('auth:\n  enabled: fa', 19)?.from).toBe(17)
})

test('the key of a line, and the names below a path', () => {
  expect(pathOfLine(file, file.indexOf('guard'))).toEqual(['auth', 'roles', 'guard'])
  expect(pathOfLine(file, file.indexOf('# who'))).toBeUndefined()
  expect(namesBelow(file, ['auth', 'roles'])).toEqual(['guard'])
  expect(namesBelow(file, [])).toEqual(['auth', 'cameras'])
})
