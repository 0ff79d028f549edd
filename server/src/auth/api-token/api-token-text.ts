import type { RequestMeta } from '../../shared/http/request-meta.ts'

/** The two parts of a token's text, `gh_<id>_<secret>`. */
export interface ApiTokenText {
  /** 128 random bits, as hex. */
  readonly id: string
  /** 256 random bits, base64url. */
  readonly secret: string
}

/** The API token in a request. */
export interface PresentedApiToken {
  /** `invalid`: a text that begins like a token, but isn't one. */
  readonly token: ApiTokenText | 'invalid'
  /** TOK-13 */
  readonly ambient: boolean
  readonly text: string
}

export const apiTokenText = ({ id, secret }: ApiTokenText): string => `gh_${id}_${secret}`

const shape = /^gh_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/
const bearer = /^bearer +(gh_.*)$/i
const basic = /^basic +([A-Za-z0-9+/]+={0,2})$/i

/**
 * KEY-3: a token is accepted as `Bearer`, and as the password of `Basic` with any username.
 *
 * @returns `none` also for another program's credentials, which are ignored
 */
export function apiTokenIn(meta: RequestMeta): PresentedApiToken | 'none' {
  const values = meta.values('authorization')
  const [value] = values
  // Without a token, or with different values, the session token's check decides (TOK-12).
  if (value === undefined || values.some((other) => other !== value)) return 'none'
  const text = bearer.exec(value)?.[1]
  if (text !== undefined) return presented(text, false)
  const password = passwordIn(value)
  return password?.startsWith('gh_') ? presented(password, true) : 'none'
}

/** The password in a Basic header, which begins after the first colon (RFC 7617). */
function passwordIn(authorization: string): string | undefined {
  const encoded = basic.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = decoded(encoded)
  const colon = text?.indexOf(':') ?? -1
  return colon < 0 ? undefined : text?.slice(colon + 1)
}

/** The bytes of base64 text, one character each; undefined if it is not padded as it should be. */
function decoded(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}

function presented(text: string, ambient: boolean): PresentedApiToken {
  const [, id, secret] = shape.exec(text) ?? []
  return { token: id === undefined || secret === undefined ? 'invalid' : { id, secret }, ambient, text }
}
