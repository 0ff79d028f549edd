import { LRUCache } from 'lru-cache'
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { userKey } from '../../users/user-name.ts'
import { cacheLimit } from '../../shared/cache-limit.ts'

/** The claims of a token with a valid signature. Times are Unix seconds and not yet checked. */
export interface Claims {
  readonly sub: string
  /** `sub` as a key for name comparisons. */
  readonly key: string
  readonly iat: number
  readonly exp: number
  readonly nbf: number | undefined
  /** The session's id; undefined for a token issued by another program (TOK-14). */
  readonly sid: string | undefined
  /** Only in renewed tokens without a session: the credential of the original token. `since`: its issue time. */
  readonly cred: string | undefined
  readonly since: number
}

export interface NewClaims {
  readonly sub: string
  readonly role: string
  readonly iat: number
  readonly exp: number
  readonly sid?: string
  readonly cred?: string
  readonly since?: number
}

/** Signs and verifies tokens. */
export interface JwtCodec {
  /** Deterministic: the same claims always give the same token. */
  sign(claims: NewClaims): string
  /** Returns undefined if the signature or the claims are invalid. */
  verify(token: string): Claims | undefined
}

/** Max characters of a token. */
const maxLength = 4096
/** Max cached tokens, less than 1 kB each. */
const max = 100_000
/** Header fields that contain their own key or change what is signed. */
const refusedFields = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'zip']
/** The latest time that a Date can represent, Unix seconds. */
const lastMoment = 8.64e12

/** @param secret used as the bytes of its UTF-8 text (TOK-2). */
export function createJwtCodec(secret: string): JwtCodec {
  const key = createSecretKey(Buffer.from(secret, 'utf8'))
  const known = new LRUCache<string, Claims>(cacheLimit(max))

  // Not with jose: its check waits for another thread and imports the key each time (design/0020).
  const signatureOf = (signed: string): Buffer => createHmac('sha256', key).update(signed).digest()

  return {
    sign(claims) {
      const payload = Buffer.from(JSON.stringify({ iss: ours, aud: ours, ...claims }))
      const signed = `${header}.${payload.toString('base64url')}`
      const token = `${signed}.${signatureOf(signed).toString('base64url')}`
      const read = claimsFrom(payload)
      if (read) known.set(token, read)
      return token
    },
    verify(token) {
      const verified = known.get(token)
      if (verified) return verified
      const parts = partsOf(token)
      if (!parts || !isSame(parts.signature, signatureOf(parts.signed))) return undefined
      const claims = claimsFrom(parts.payload)
      if (claims) known.set(copyOf(token), claims)
      return claims
    },
  }
}

/** A copy: a token is a part of a header, which may have many other cookies and would be cached with it. */
const copyOf = (token: string): string => Buffer.from(token, 'latin1').toString('latin1')

/** Compares in constant time. */
const isSame = (sent: Buffer, right: Buffer): boolean => sent.length === right.length && timingSafeEqual(sent, right)

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

interface SplitToken {
  /** The text that the signature is of. */
  readonly signed: string
  readonly payload: Buffer
  readonly signature: Buffer
}

/** The parts of a token: three of canonical base64url, the first a header for plain HS256. undefined: it has others. */
function partsOf(token: string): SplitToken | undefined {
  const texts = token.length > maxLength ? [] : token.split('.')
  const [head, payload, signature] = texts.map(bytesOf)
  if (texts.length !== 3 || !head || !payload || !signature) return undefined
  // Nearly every header is that of this service.
  if (texts[0] !== header && !isPlain(head)) return undefined
  return { signed: `${texts[0]}.${texts[1]}`, payload, signature }
}

/** undefined: the text is not canonical base64url. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Whether a token's header is one for plain HS256. */
function isPlain(head: Buffer): boolean {
  const fields = fieldsIn(head)
  if (fields?.get('alg') !== 'HS256' || refusedFields.some((field) => fields.has(field))) return false
  const type = fields.get('typ')
  return type === undefined || (typeof type === 'string' && type.toLowerCase() === 'jwt')
}

function claimsFrom(payload: Uint8Array): Claims | undefined {
  const claims = fieldsIn(payload)
  if (!claims) return undefined
  const names = ['sub', 'iat', 'exp', 'nbf', 'sid', 'cred'] as const
  const [sub, iat, exp, nbf, sid, cred] = names.map((name) => claims.get(name))
  if (!isForThisService(claims.get('iss'), claims.get('aud'))) return undefined
  const since = claims.get('since') ?? iat
  const key = typeof sub === 'string' ? userKey(sub) : undefined
  if (typeof sub !== 'string' || key === undefined) return undefined
  if (!isTime(iat) || !isTime(exp) || !isTime(since)) return undefined
  if (!(nbf === undefined || isTime(nbf)) || !isTextOrAbsent(sid) || !isTextOrAbsent(cred)) return undefined
  return { sub, key, iat, exp, nbf, sid, cred, since }
}

/** Checks issuer and audience if present (ASVS 9.2.3), because other programs may use the same secret. */
const isForThisService = (iss: unknown, aud: unknown): boolean =>
  (iss === undefined || iss === ours) && (aud === undefined || [aud].flat().includes(ours))

/** Issuer and audience of this service's tokens. */
const ours = 'gatehouse'

const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= lastMoment
const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The fields of a JSON object. Any other JSON value has none that count. undefined: not JSON in UTF-8. */
function fieldsIn(bytes: Uint8Array): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    return new Map(Object.entries(value ?? {}))
  } catch {
    return undefined
  }
}
