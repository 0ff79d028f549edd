import { expect, test } from 'vitest'
import { ftyp, makeTrak, mvhd, trak, trakBoxes } from '../../../test/support/made-mp4.ts'
import { makeBox, makeFullBox, words } from './box.ts'
import { joinedInit } from './joined-init.ts'

const [video, audio] = [
  { id: 1, handler: 'vide' },
  { id: 2, handler: 'soun' },
] as const
const init = (...traks: readonly Buffer[]): Buffer => Buffer.concat([ftyp, makeBox('moov', mvhd, ...traks)])
/** At another rate. */
const faster = (track: typeof video | typeof audio): Buffer =>
  makeTrak({ ...trakBoxes(track), mdhd: makeFullBox('mdhd', 0, words(0, 0, 20, 0, 0)) })

const silent = init(trak(video))
const whole = init(trak(video), trak(audio))

test.each<[what: string, first: Buffer, second: Buffer, joined: Buffer | string]>([
  ['the same', whole, Buffer.from(whole), whole],
  ['audio appears', silent, whole, whole],
  ['audio disappears', whole, silent, whole],
  ['only another box differs', init(trak(video), makeBox('udta')), silent, init(trak(video), makeBox('udta'))],
  ['the audio differs', whole, init(trak(video), faster(audio)), 'audio'],
  ['the audio has another id', whole, init(trak(video), trak({ ...audio, id: 3 })), 'audio'],
  ['the video differs', whole, init(faster(video), trak(audio)), 'video'],
  ['both differ', whole, init(faster(video), faster(audio)), 'video'],
  ['the video differs, and audio appears', silent, init(faster(video), trak(audio)), 'video'],
  ['one can’t be read', silent, ftyp, 'video'],
])('%s', (_what, first, second, joined) => {
  expect(joinedInit(first, second)).toEqual(joined)
})
