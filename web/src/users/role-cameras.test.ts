import { expect, test } from 'vitest'
import { difference, gainedAsViewer, sameCameras, seenBy } from './role-cameras.ts'

test('[CAM-4] a camera that awaits confirmation by an admin is not visible', () => {
  expect(seenBy({ cameras: ['yard', 'barn'], withheld: ['barn'] })).toEqual(['yard'])
  expect(seenBy({ cameras: ['yard', 'barn'] })).toEqual(['yard', 'barn'])
})

test('[ROLE-7] users who become viewer gain every camera that the role did not grant', () => {
  expect(gainedAsViewer(['yard'], ['yard', 'door', 'office'])).toEqual(['door', 'office'])
  expect(gainedAsViewer(['yard', 'gone'], ['yard'])).toEqual([])
})

test('camera lists are equal regardless of order and duplicates', () => {
  expect(sameCameras(['a', 'b'], ['b', 'a', 'a'])).toBe(true)
  expect(sameCameras(['a'], ['a', 'b'])).toBe(false)
  expect(difference(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] })
})
