import { expect, test } from 'vitest'
import { difference, gainedAsViewer, sameCameras, seenBy } from './role-cameras.ts'

test('[CAM-4] a camera that an admin has yet to confirm is not seen', () => {
  expect(seenBy({ cameras: ['yard', 'barn'], withheld: ['barn'] })).toEqual(['yard'])
  expect(seenBy({ cameras: ['yard', 'barn'] })).toEqual(['yard', 'barn'])
})

test('[ROLE-7] who becomes viewer gains every camera that the role did not show', () => {
  expect(gainedAsViewer(['yard'], ['yard', 'door', 'office'])).toEqual(['door', 'office'])
  expect(gainedAsViewer(['yard', 'gone'], ['yard'])).toEqual([])
})

test('cameras are the same in any order, and however often one is listed', () => {
  expect(sameCameras(['a', 'b'], ['b', 'a', 'a'])).toBe(true)
  expect(sameCameras(['a'], ['a', 'b'])).toBe(false)
  expect(difference(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] })
})
