import { makeBox, makeFullBox, words } from '../../src/media/mp4/box.ts'

/** A track of a handmade MP4. */
export interface MadeTrack {
  readonly id: number
  readonly handler: 'vide' | 'soun' | 'text'
  /** Boxes of `stbl` after `stsd`. */
  readonly tables?: readonly Buffer[]
}

/** Boxes of a track, each of which a test can replace. */
export const trakBoxes = ({ id, handler, tables = [] }: MadeTrack) => {
  const isVideo = handler === 'vide'
  const entry = makeBox(isVideo ? 'mp4v' : 'sowt', Buffer.alloc(isVideo ? 78 : 28))
  return {
    tkhd: makeFullBox('tkhd', 0, words(0, 0, id), Buffer.alloc(68)),
    mdhd: makeFullBox('mdhd', 0, words(0, 0, 10, 0, 0)),
    hdlr: makeFullBox('hdlr', 0, words(0), Buffer.from(handler), Buffer.alloc(13)),
    header: makeFullBox(isVideo ? 'vmhd' : 'smhd', 0, words(0, 0)),
    stsd: makeFullBox('stsd', 0, words(1), entry),
    tables,
  }
}

export const makeTrak = ({ tkhd, mdhd, hdlr, header, stsd, tables }: ReturnType<typeof trakBoxes>): Buffer => {
  const minf = makeBox('minf', header, makeBox('stbl', stsd, ...tables))
  return makeBox('trak', tkhd, makeBox('mdia', mdhd, hdlr, minf))
}

export const trak = (track: MadeTrack): Buffer => makeTrak(trakBoxes(track))

export const trex = (id: number): Buffer => makeFullBox('trex', 0, words(id, 1, 0, 0, 0))

export const ftyp = makeBox('ftyp', Buffer.from('iso5'), words(512), Buffer.from('iso5'))
export const mvhd = makeFullBox('mvhd', 0, Buffer.alloc(96))
