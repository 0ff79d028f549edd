import type { Random } from '../../shared/random.ts'

/** Without characters that are easily confused on a screen: 0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B. */
const alphabet = 'ACDEFGHJKMNPQRTUVWXY34679'

const codeLength = 8

const shape = new RegExp(`^[${alphabet}]{${codeLength}}$`)

/** The largest multiple of the alphabet's length in a byte: larger bytes would make its first characters more likely. */
const fair = 256 - (256 % alphabet.length)

/** A new code of a pairing, about 37 bits. */
export function newPairingCode(random: Random): string {
  let code = ''
  while (code.length < codeLength) {
    for (const byte of random.bytes(codeLength)) {
      if (byte < fair && code.length < codeLength) code += alphabet[byte % alphabet.length]
    }
  }
  return code
}

/** A code as an admin typed it: in any case, with spaces and hyphens. undefined: no pairing can have it. */
export function pairingCodeFrom(typed: string): string | undefined {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  return shape.test(code) ? code : undefined
}
