/** Digits and letters that are hard to mistake for each other: without 0 and o, 1, i and l. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** Four groups of five, about 99 bits, easy to read out and type. `bytes` fills an array with random bytes. */
export function generatePassword(bytes: (into: Uint8Array<ArrayBuffer>) => void): string {
  const drawn: string[] = []
  while (drawn.length < 20) {
    const chance = new Uint8Array(32)
    bytes(chance)
    // Bytes above the last multiple of the alphabet's length would favor some letters.
    const fair = chance.filter((byte) => byte < 256 - (256 % alphabet.length))
    drawn.push(...Array.from(fair, (byte) => alphabet.charAt(byte % alphabet.length)))
  }
  return [0, 5, 10, 15].map((at) => drawn.slice(at, at + 5).join('')).join('-')
}
