import { boxesIn, Fmp4Error, lettersOf, typeOf, type Box } from './box.ts'

/** One fragment: a `moof` with its `mdat`. */
export interface FragmentBoxes {
  /** The `styp` before it, if there is one. */
  readonly styp: Box | undefined
  readonly moof: Box
  readonly mdat: Box
}

const [styp, moof, mdat] = [typeOf('styp'), typeOf('moof'), typeOf('mdat')]

/** Boxes that are left out: padding, and indexes of bytes that are no longer where they say. No player needs them. */
const leftOut = new Set(['free', 'skip', 'sidx', 'ssix', 'mfra'].map(typeOf))

/**
 * The fragments between two positions.
 *
 * @param from start of the first box, in bytes
 * @param to end of the last
 * @throws Fmp4Error for a box that is not known, or out of order
 */
export function fragmentsIn(data: Buffer, from: number, to: number): FragmentBoxes[] {
  const fragments: FragmentBoxes[] = []
  let segmentType: Box | undefined
  let head: Box | undefined
  for (const box of boxesIn(data, from, to)) {
    if (box.type === styp) segmentType = box
    else if (box.type === moof && !head) head = box
    else if (box.type === mdat && head) {
      fragments.push({ styp: segmentType, moof: head, mdat: box })
      segmentType = head = undefined
    } else if (!leftOut.has(box.type)) throw new Fmp4Error(`an unexpected ${lettersOf(box.type)}`)
  }
  if (head) throw new Fmp4Error('a moof without mdat')
  return fragments
}
