import { stringifySetCookie } from 'cookie'
import type { Client, RequestMeta } from '../../shared/http/request-meta.ts'
import { cookieNames } from '../cookie-names.ts'
import { cookieValues } from '../cookie-values.ts'

/** What a display shows in its cookie. */
export interface ScreenSecret {
  readonly id: string
  /** 256 random bits, base64url. */
  readonly secret: string
}

const name = cookieNames.screen

/** Browsers keep a cookie for 400 days at most. Each start of the screen renews it. */
const maxAge = 400 * 24 * 60 * 60

const shape = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/

/** The cookie in a request. `invalid`: it is not from this service, or there are different ones. */
export function screenSecretIn(meta: RequestMeta): ScreenSecret | 'none' | 'invalid' {
  const values = new Set(cookieValues(meta, name))
  const [value] = values
  if (value === undefined) return 'none'
  const [, id, secret] = shape.exec(value) ?? []
  return id === undefined || secret === undefined || values.size > 1 ? 'invalid' : { id, secret }
}

/** A page of another site can neither read the cookie nor cause a request with it. */
export const screenCookie = ({ id, secret }: ScreenSecret, { basePath, encrypted }: Client): string =>
  stringifySetCookie({
    name,
    value: `${id}.${secret}`,
    maxAge,
    path: basePath === '/' ? '/' : basePath.slice(0, -1),
    httpOnly: true,
    sameSite: 'strict',
    secure: encrypted,
  })
