import { stringifySetCookie } from 'cookie'
import type { SessionToken } from '../../http/authentication.ts'
import type { Client } from '../../shared/request-meta.ts'

export interface CookieSettings {
  readonly name: string
  readonly sameSite: 'lax' | 'strict' | 'none'
}

/** What a cookie was last made of, and what it says. */
interface MadeCookie extends CookieSettings {
  readonly basePath: string
  readonly secure: boolean
  readonly text: string
}

/** A token stays the same within a second (TOK-4), in which a page or a proxy may ask for it many times. */
const made = new WeakMap<SessionToken, MadeCookie>()

/** TOK-11. */
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

/** Clears the cookie wherever it may have been set: at the root and below the base path, for frames and for all. */
export const clearedCookies = (settings: CookieSettings, client: Client): string[] =>
  clearedAt(['/', cookiePath(client.basePath)], settings, client)

/**
 * Clears every cookie of this name that a browser sends to a path: another program on the same host may have set one
 * deeper than ours, and only its own path clears it.
 *
 * @param path below the base path, as `/api/profile`
 */
export function clearedOnTheWay(settings: CookieSettings, client: Client, path: string): string[] {
  const segments = `${client.basePath}${path.slice(1)}`.split('/').slice(0, deepest)
  const prefixes = segments.map((_, at) => segments.slice(0, at + 1).join('/'))
  const paths = prefixes.slice(1).flatMap((prefix) => [prefix, `${prefix}/`])
  return clearedAt(['/', ...paths.filter(isCookiePath)], settings, client)
}

const isCookiePath = (path: string): boolean => path.length <= 200 && /^[!-:<-~]+$/.test(path)

/** Segments of a path, the empty one before the first slash among them. */
const deepest = 8

function clearedAt(paths: readonly string[], { name, sameSite }: CookieSettings, client: Client): string[] {
  const kinds = [...new Set([isForFrames(sameSite), false])]
  const common = { name, value: '', maxAge: 0, httpOnly: true, sameSite, secure: client.encrypted } as const
  return [...new Set(paths)].flatMap((path) =>
    kinds.map((partitioned) => stringifySetCookie({ ...common, path, partitioned })),
  )
}

/** In a frame of another site most browsers keep only a cookie that belongs to that site's frames alone. */
const isForFrames = (sameSite: CookieSettings['sameSite']): boolean => sameSite === 'none'

const cookiePath = (basePath: string): string => (basePath === '/' ? '/' : basePath.slice(0, -1))
