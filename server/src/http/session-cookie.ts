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
    secure: client.encrypted,
  })
}

/** Clears the cookie wherever it may have been set: at the root and below the base path. */
export function clearedCookies({ name, sameSite }: CookieSettings, client: Client): string[] {
  const paths = [...new Set([cookiePath(client.basePath), '/'])]
  return paths.map((path) =>
    stringifySetCookie({ name, value: '', maxAge: 0, path, httpOnly: true, sameSite, secure: client.encrypted }),
  )
}

const cookiePath = (basePath: string): string => (basePath === '/' ? '/' : basePath.slice(0, -1))
