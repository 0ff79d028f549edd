import { expect, test } from 'vitest'
import { whoPlays } from './who-plays.ts'

const all = ['a', 'b', 'c', 'd']

test.each([
  ['all that fit', { names: ['a', 'b'], seen: [], tapped: [], low: false }, ['a', 'b']],
  ['of too many, the first', { names: all, seen: all, tapped: [], low: false }, ['a', 'b']],
  ['of too many, those in sight', { names: all, seen: ['c', 'd'], tapped: [], low: false }, ['c', 'd']],
  ['the tapped one takes the place of another', { names: all, seen: all, tapped: ['d'], low: false }, ['d', 'a']],
  ['the first tapped gives way', { names: all, seen: all, tapped: ['a', 'b', 'c'], low: false }, ['c', 'b']],
  ['one that is tapped and gone from sight', { names: all, seen: ['a', 'b'], tapped: ['d'], low: false }, ['a', 'b']],
  ['none while data is saved', { names: all, seen: all, tapped: [], low: true }, []],
  ['what is tapped while data is saved', { names: ['a', 'b'], seen: [], tapped: ['b'], low: true }, ['b']],
])('%s', (_, { seen, ...wall }, playing) => {
  expect([...whoPlays({ ...wall, seen: new Set(seen), max: 2 })]).toEqual(playing)
})
