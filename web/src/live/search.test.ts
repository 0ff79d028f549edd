import { expect, test } from 'vitest'
import type { Camera } from '../../../server/src/api-types.ts'
import { camerasOf, liveSearch } from './search.ts'

const cameras = ['gate', 'yard', 'office'].map((name) => ({ name }) as Camera)
const groups = [
  { name: 'outside', cameras: ['yard', 'gate'] },
  { name: 'other', cameras: ['removed'] },
]

test.each([
  [undefined, ['gate', 'yard', 'office']],
  ['outside', ['gate', 'yard']],
  ['other', []],
  ['missing', ['gate', 'yard', 'office']],
])('the cameras of the group %s', (group, names) => {
  expect(camerasOf(group, cameras, groups).map(({ name }) => name)).toEqual(names)
})

test('a group in the URL is text', () => {
  expect(liveSearch({ group: 'outside', other: 1 })).toEqual({ group: 'outside' })
  expect(liveSearch({ group: ['outside'] })).toEqual({})
  expect(liveSearch({})).toEqual({})
})
