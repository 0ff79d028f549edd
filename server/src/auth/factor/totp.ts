import { Secret, TOTP } from 'otpauth'
import type { Random } from '../../shared/random.ts'

/** Seconds of a time step, and digits of a code: what every authenticator app supports (RFC 6238). */
const period = 30
const digits = 6
/** Steps before and after now whose code is accepted, for clocks that differ. */
const window = 1
/** Bytes of a secret, as long as the hash (RFC 4226 4). */
const secretLength = 20

const issuer = 'Gatehouse'

/** A new secret, base32. */
export const newTotpSecret = (random: Random): string =>
  new Secret({ buffer: Uint8Array.from(random.bytes(secretLength)).buffer }).base32

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits, period })

/** The `otpauth://` URI that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, username: string): string => totpOf(secret, username).toString()

export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text)

/** The time step that a code is for. @returns undefined for a wrong code. @param now Unix milliseconds */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window })
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta
}

const minute = 60_000
/** Wrong codes in a row that cause no wait. */
const free = 5

/**
 * Milliseconds to wait after so many wrong codes in a row, whatever address they came from. A million codes of which three
 * are right, and an hour for each guess: within a year, one in fifty attackers who know the password has a right code.
 */
export const waitAfter = (failures: number): number =>
  failures < free ? 0 : Math.min(60, 2 ** Math.min(failures - free, 6)) * minute
