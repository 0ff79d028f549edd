import { expect, test } from 'vitest'
import { difference, gainedAsViewer, sameCameras } from './role-cameras.ts'

test('[ROLE-7] users who become viewer gain every camera that the role did not grant', () => {
  expect(gainedAsViewer(['yard'], ['yard', 'door', 'office'])).toEqual(['door', 'office'])
  expect(gainedAsViewer(['yard', 'gone'], ['yard'])).toEqual([])
})

test('camera lists are equal regardless of order and duplicates', () => {
  expect(sameCameras(['a', 'b'], ['b', 'a', 'a'])).toBe(true)
  expect(sameCameras(['a'], ['a', 'b'])).toBe(false)
  expect(difference(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] })
})
