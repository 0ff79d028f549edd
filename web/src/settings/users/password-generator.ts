/** Digits and letters without those that are easily mistaken: 0 and o, 1, i and l. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** Four groups of five, about 99 bits; written so that it can be read out and typed. `bytes` fills an array by chance. */
export function generatePassword(bytes: (into: Uint8Array<ArrayBuffer>) => void): string {
  const drawn: string[] = []
  while (drawn.length < 20) {
    const chance = new Uint8Array(32)
    bytes(chance)
    // Above the last multiple of the alphabet's length some letters would come more often than others.
    const fair = chance.filter((byte) => byte < 256 - (256 % alphabet.length))
    drawn.push(...Array.from(fair, (byte) => alphabet.charAt(byte % alphabet.length)))
  }
  return [0, 5, 10, 15].map((at) => drawn.slice(at, at + 5).join('')).join('-')
}
