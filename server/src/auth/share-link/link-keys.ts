import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto'

/** What the service signs for links, with keys made from the JWT secret. */
export interface LinkKeys {
  /** Hash of a link's code. A stolen database is not enough to guess it. */
  codeHash(link: string, code: string): string
  hasCode(link: string, code: string, hash: string): boolean
  /** Signs the cookie of a link's viewer. */
  sign(link: SignedLink, viewer: string): string
  isSigned(link: SignedLink, viewer: string, signature: string): boolean
}

/** A cookie is worth nothing for another link, or for a link with another secret. */
interface SignedLink {
  readonly id: string
  readonly secretHash: string
}

export function createLinkKeys(jwtSecret: string): LinkKeys {
  // Not the bytes themselves, with which each signature would take 10 µs instead of 2.
  const keyFor = (purpose: string) => createSecretKey(Buffer.from(hkdfSync('sha256', jwtSecret, '', purpose, 32)))
  const codeKey = keyFor('codes of share links')
  const cookieKey = keyFor('cookies of share links')
  const codeHash = (link: string, code: string) => hmac(codeKey, `${link} ${code.normalize('NFC').trim()}`, 'hex')
  const sign = ({ id, secretHash }: SignedLink, viewer: string) =>
    hmac(cookieKey, `${id} ${secretHash} ${viewer}`, 'base64url')
  return {
    codeHash,
    hasCode: (link, code, hash) => equal(codeHash(link, code), hash),
    sign,
    isSigned: (link, viewer, signature) => equal(sign(link, viewer), signature),
  }
}

const hmac = (key: KeyObject, text: string, encoding: 'hex' | 'base64url'): string =>
  createHmac('sha256', key).update(text).digest(encoding)

/** In constant time, for texts of the same length. */
const equal = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
