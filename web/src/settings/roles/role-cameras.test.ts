import { expect, test } from 'vitest'
import { difference, gainedAsViewer, sameCameras } from './role-cameras.ts'

test('[ROLE-7] who becomes viewer gains every camera that the role did not list', () => {
  expect(gainedAsViewer(['yard'], ['yard', 'door', 'office'])).toEqual(['door', 'office'])
  expect(gainedAsViewer(['yard', 'gone'], ['yard'])).toEqual([])
})

test('cameras are the same in any order, and however often one is listed', () => {
  expect(sameCameras(['a', 'b'], ['b', 'a', 'a'])).toBe(true)
  expect(sameCameras(['a'], ['a', 'b'])).toBe(false)
  expect(difference(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] })
})
