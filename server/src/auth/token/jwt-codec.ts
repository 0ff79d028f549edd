import { compactVerify } from 'jose'
import { createHmac, createSecretKey } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { nameKey } from '../../users/user-name.ts'

/** What a token says, once its signature is known to be good. Times are Unix seconds, and still to be judged. */
export interface Claims {
  readonly sub: string
  /** `sub` as names are compared. */
  readonly key: string
  readonly iat: number
  readonly exp: number
  readonly nbf: number | undefined
  /** The session it points at; undefined for a token that another program minted (TOK-14). */
  readonly sid: string | undefined
  /** Of a token without a session that we renewed: whose credential it was, and since when it has been renewed. */
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

/** Signs tokens, and reads what was signed. */
export interface JwtCodec {
  /** The same claims always give the same token. */
  sign(claims: NewClaims): string
  /** undefined where it is no token of ours; a promise only where it was not seen before. */
  read(token: string): Claims | undefined | Promise<Claims | undefined>
}

/** Characters of a token, which are bytes. */
const longest = 4096
/** Tokens remembered, at under a kilobyte each. */
const max = 10_000
/** Header fields that bring their own key, or change what a signature is of. */
const refusedFields = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'zip']
/** The last moment that a Date can hold, Unix seconds. */
const lastMoment = 8.64e12

/** @param secret used as the bytes of its UTF-8 text (TOK-2). */
export function createJwtCodec(secret: string): JwtCodec {
  const bytes = Buffer.from(secret, 'utf8')
  const key = createSecretKey(bytes)
  const known = new LRUCache<string, Claims>({ max })

  const verify = async (token: string): Promise<Claims | undefined> => {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: ['HS256'] })
      const claims = claimsFrom(payload)
      if (claims) known.set(token, claims)
      return claims
    } catch {
      return undefined
    }
  }

  return {
    // By hand, because jose signs only asynchronously, and a renewed token is part of a synchronous answer.
    sign(claims) {
      const payload = Buffer.from(JSON.stringify({ iss: ours, aud: ours, ...claims }))
      const signed = `${header}.${payload.toString('base64url')}`
      const token = `${signed}.${createHmac('sha256', bytes).update(signed).digest('base64url')}`
      const read = claimsFrom(payload)
      if (read) known.set(token, read)
      return token
    },
    read(token) {
      const claims = known.get(token)
      if (claims) return claims
      return isPlain(token) ? verify(token) : undefined
    },
  }
}

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

/** Three parts, each spelt in the one way there is, and a header that asks for nothing but HS256. */
function isPlain(token: string): boolean {
  if (token.length > longest) return false
  const parts = token.split('.')
  const [first = ''] = parts
  if (parts.length !== 3 || !parts.every(isCanonical)) return false
  const fields = jsonObject(Buffer.from(first, 'base64url'))
  if (fields?.get('alg') !== 'HS256' || refusedFields.some((field) => fields.has(field))) return false
  const type = fields.get('typ')
  return type === undefined || (typeof type === 'string' && type.toLowerCase() === 'jwt')
}

const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

function claimsFrom(payload: Uint8Array): Claims | undefined {
  const claims = jsonObject(payload)
  if (!claims) return undefined
  const names = ['sub', 'iat', 'exp', 'nbf', 'sid', 'cred'] as const
  const [sub, iat, exp, nbf, sid, cred] = names.map((name) => claims.get(name))
  if (!isForUs(claims.get('iss'), claims.get('aud'))) return undefined
  const since = claims.get('since') ?? iat
  const key = typeof sub === 'string' ? nameKey(sub) : undefined
  if (typeof sub !== 'string' || key === undefined) return undefined
  if (!isTime(iat) || !isTime(exp) || !isTime(since)) return undefined
  if (!(nbf === undefined || isTime(nbf)) || !isTextOrAbsent(sid) || !isTextOrAbsent(cred)) return undefined
  return { sub, key, iat, exp, nbf, sid, cred, since }
}

/** The issuer and the audience, as far as it says (ASVS 9.2.3): the secret may serve other programs too. */
const isForUs = (iss: unknown, aud: unknown): boolean =>
  (iss === undefined || iss === ours) && (aud === undefined || [aud].flat().includes(ours))

/** Issuer and audience of our own tokens. */
const ours = 'gatehouse'

const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= lastMoment
const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

function jsonObject(bytes: Uint8Array): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : undefined
  } catch {
    return undefined
  }
}
