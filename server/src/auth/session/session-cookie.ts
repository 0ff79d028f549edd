import { stringifySetCookie } from 'cookie'
import type { SessionToken } from '../../http/authentication.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import { cookiePath } from '../cookie/cookie-path.ts'

export interface CookieSettings {
  readonly name: string
  readonly sameSite: 'lax' | 'strict' | 'none'
}

/** A token's last serialized cookie, and the settings it was serialized with. */
interface MadeCookie extends CookieSettings {
  readonly basePath: string
  readonly secure: boolean
  readonly text: string
}

/** Cached cookies: a token stays the same within a second (TOK-4), and many responses in that second may set it. */
const made = new WeakMap<SessionToken, MadeCookie>()

/** Serializes the session cookie (TOK-11). */
export function sessionCookie({ name, sameSite }: CookieSettings, token: SessionToken, client: Client): string {
  const { basePath, encrypted: secure } = client
  const last = made.get(token)
  const isSame =
    last?.name === name && last.sameSite === sameSite && last.basePath === basePath && last.secure === secure
  if (isSame) return last.text
  const text = stringifySetCookie({
    name,
    value: token.token,
    maxAge: token.maxAge,
    path: cookiePath(basePath),
    httpOnly: true,
    sameSite,
    partitioned: isForFrames(sameSite),
    secure,
  })
  made.set(token, { name, sameSite, basePath, secure, text })
  return text
}

/** Clears the cookie at the root and at the base path, both partitioned and unpartitioned. */
export const clearedCookies = (settings: CookieSettings, client: Client): string[] =>
  clearedAt(['/', cookiePath(client.basePath)], settings, client)

/**
 * Clears every cookie with this name that a browser sends to a path: another program on the same host may have set one
 * with a longer path, and a cookie can be cleared only with its own path.
 *
 * @param path a path below the base path, such as `/api/profile`.
 */
export function clearedAlongPath(settings: CookieSettings, client: Client, path: string): string[] {
  const segments = `${client.basePath}${path.slice(1)}`.split('/').slice(0, maxSegments)
  const prefixes = segments.map((_, at) => segments.slice(0, at + 1).join('/'))
  const paths = prefixes.flatMap((prefix) => [prefix, `${prefix}/`])
  return clearedAt(['/', ...paths.filter(isCookiePath)], settings, client)
}

const isCookiePath = (path: string): boolean => path.length <= 200 && /^[!-:<-~]+$/.test(path)

/** Max path segments, including the empty one before the first slash. */
const maxSegments = 8

function clearedAt(paths: readonly string[], { name, sameSite }: CookieSettings, client: Client): string[] {
  const kinds = [...new Set([isForFrames(sameSite), false])]
  const common = { name, value: '', maxAge: 0, httpOnly: true, sameSite, secure: client.encrypted } as const
  return [...new Set(paths)].flatMap((path) =>
    kinds.map((partitioned) => stringifySetCookie({ ...common, path, partitioned })),
  )
}

/** Whether to partition the cookie: in a cross-site frame, most browsers keep only partitioned cookies. */
const isForFrames = (sameSite: CookieSettings['sameSite']): boolean => sameSite === 'none'
