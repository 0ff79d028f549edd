import { stringifySetCookie } from 'cookie'
import type { SessionToken } from '../access/standing.ts'
import type { Client } from '../shared/knock.ts'

export interface CookieSettings {
  readonly name: string
  readonly sameSite: 'lax' | 'strict' | 'none'
}

/** TOK-11. */
export function sessionCookie(
  { name, sameSite }: CookieSettings,
  { token, maxAge }: SessionToken,
  client: Client,
): string {
  return stringifySetCookie({
    name,
    value: token,
    maxAge,
    path: cookiePath(client.basePath),
    httpOnly: true,
    sameSite,
    partitioned: isForFrames(sameSite),
    secure: client.encrypted,
  })
}

/** Clears the cookie wherever it may have been set: at the root and below the base path, for frames and for all. */
export function clearedCookies({ name, sameSite }: CookieSettings, client: Client): string[] {
  const paths = [...new Set([cookiePath(client.basePath), '/'])]
  const kinds = [...new Set([isForFrames(sameSite), false])]
  const common = { name, value: '', maxAge: 0, httpOnly: true, sameSite, secure: client.encrypted } as const
  return paths.flatMap((path) => kinds.map((partitioned) => stringifySetCookie({ ...common, path, partitioned })))
}

/** In a frame of another site most browsers keep only a cookie that belongs to that site's frames alone. */
const isForFrames = (sameSite: CookieSettings['sameSite']): boolean => sameSite === 'none'

const cookiePath = (basePath: string): string => (basePath === '/' ? '/' : basePath.slice(0, -1))
