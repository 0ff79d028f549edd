import { expect, test } from 'vitest'
import { inOneHistory, type RecordedPart } from './one-history.ts'

/** `volume epoch start end`, seconds; then `away`. */
const part = (text: string): RecordedPart => {
  const [volume = '', epoch, start, end, away] = text.split(' ')
  const times = { start: Number(start) * 1000, end: Number(end) * 1000 }
  return { volume, epoch: Number(epoch), ...times, ...(away && { isAway: true }) }
}
const shown = ({ volume, start, end, fileEnd }: ReturnType<typeof inOneHistory>[number]): string =>
  `${volume} ${start / 1000} ${end / 1000}${fileEnd === undefined ? '' : ' early'}`

test.each([
  ['nothing', [], []],
  ['one after the other', ['a 1 0 10', 'b 2 10 20', 'a 3 20 30'], ['a 0 10', 'b 10 20', 'a 20 30']],
  ['times that are rounded', ['a 1 0 10.01', 'b 2 10 20'], ['a 0 10.01', 'b 10 20']],
  ['a newer one that begins inside', ['a 1 0 10', 'b 2 7 17', 'b 2 17 27'], ['a 0 7 early', 'b 7 17', 'b 17 27']],
  [
    'an older one that goes on',
    ['a 1 0 10', 'b 2 7 17', 'a 1 10 20', 'b 2 17 27'],
    ['a 0 7 early', 'b 7 17', 'b 17 27'],
  ],
  [
    'an older one that fills a gap',
    ['b 2 0 10', 'a 1 5 15', 'a 1 15 25', 'b 2 22 30'],
    ['b 0 10', 'a 15 22 early', 'b 22 30'],
  ],
  ['one that moved back', ['a 1 0 10', 'b 2 8 18', 'a 3 15 25'], ['a 0 8 early', 'b 8 15 early', 'a 15 25']],
  ['the same start', ['a 1 0 10', 'b 2 0 10'], ['b 0 10']],
  ['the same start, the newer first', ['b 2 0 10', 'a 1 0 10'], ['b 0 10']],
  [
    'both from before there were epochs',
    ['a 0 0 10', 'b 0 4 14', 'a 0 10 20', 'b 0 14 24'],
    ['a 0 4 early', 'b 4 14', 'b 14 24'],
  ],
  [
    'both without epochs, of which one can’t be played,',
    ['a 0 0 10', 'b 0 4 14 away', 'a 0 10 20', 'b 0 14 24 away', 'b 0 24 34 away'],
    ['a 0 10', 'a 10 20', 'b 24 34'],
  ],
  ['one with a newer epoch that can’t be played', ['a 1 0 10', 'b 2 0 10 away'], ['b 0 10']],
  ['one volume whose clock was set back', ['a 1 0 10', 'a 1 4 14', 'a 2 6 16'], ['a 0 10', 'a 4 14', 'a 6 16']],
])('%s plays once', (_, recorded, played) => {
  expect(inOneHistory(recorded.map(part)).map(shown)).toEqual(played)
})
