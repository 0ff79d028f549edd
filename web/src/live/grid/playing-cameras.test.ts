import { expect, test } from 'vitest'
import { playingCameras } from './playing-cameras.ts'

const all = ['a', 'b', 'c', 'd']

test.each([
  ['all that fit', { names: ['a', 'b'], seen: [], tapped: [], low: false }, ['a', 'b']],
  ['the first of too many', { names: all, seen: all, tapped: [], low: false }, ['a', 'b']],
  ['those of too many that are in view', { names: all, seen: ['c', 'd'], tapped: [], low: false }, ['c', 'd']],
  ['a tapped one replaces another', { names: all, seen: all, tapped: ['d'], low: false }, ['d', 'a']],
  ['the first tapped one stops', { names: all, seen: all, tapped: ['a', 'b', 'c'], low: false }, ['c', 'b']],
  [
    'a tapped one that is out of view does not play',
    { names: all, seen: ['a', 'b'], tapped: ['d'], low: false },
    ['a', 'b'],
  ],
  ['none while saving data', { names: all, seen: all, tapped: [], low: true }, []],
  ['a tapped one while saving data', { names: ['a', 'b'], seen: [], tapped: ['b'], low: true }, ['b']],
])('%s', (_, { seen, ...wall }, playing) => {
  expect([...playingCameras({ ...wall, seen: new Set(seen), max: 2 })]).toEqual(playing)
})
