/** Bytes per piece: small enough that progress is visible soon, large enough to be fast. */
export const pieceSize = 256 * 1024

/** Splits bytes into pieces without copying them. */
export function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += pieceSize) yield bytes.subarray(from, from + pieceSize)
}
