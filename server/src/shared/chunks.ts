/** Bytes: little enough that what has been handed on is soon delivered, much enough to go on fast. */
export const pieceSize = 256 * 1024

/** The same bytes one piece after the other, without a copy. */
export function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += pieceSize) yield bytes.subarray(from, from + pieceSize)
}
