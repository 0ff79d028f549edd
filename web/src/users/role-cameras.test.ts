import { expect, test } from 'vitest'
import { difference, gainedAsViewer } from './role-cameras.ts'

test('[ROLE-7] users who become viewer gain every camera that the role did not grant', () => {
  expect(gainedAsViewer(['yard'], ['yard', 'door', 'office'])).toEqual(['door', 'office'])
  expect(gainedAsViewer(['yard', 'gone'], ['yard'])).toEqual([])
})

test('the order of cameras makes no difference', () => {
  expect(difference(['a', 'b'], ['b', 'c', 'c'])).toEqual({ added: ['c'], removed: ['a'] })
})
