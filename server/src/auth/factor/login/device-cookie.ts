import { stringifySetCookie } from 'cookie'
import type { Client, RequestMeta } from '../../../shared/http/request-meta.ts'
import { cookieNames } from '../../cookie/cookie-names.ts'
import { cookiePath } from '../../cookie/cookie-path.ts'
import { cookieValues } from '../../cookie/cookie-values.ts'
import { hashOfSecret } from '../../link-secret.ts'
import { day } from '../../../shared/time/durations.ts'

const name = cookieNames.device

/** Milliseconds for which a device is remembered (MFA-5). */
export const deviceLifetime = 30 * day

/** A page of another site can neither read the cookie nor cause a request with it. */
export const deviceCookie = (secret: string, { basePath, encrypted }: Client): string =>
  stringifySetCookie({
    name,
    value: secret,
    maxAge: deviceLifetime / 1000,
    path: cookiePath(basePath),
    httpOnly: true,
    sameSite: 'strict',
    secure: encrypted,
  })

/** The hashes of the device secrets in a request: one, or a few if the cookie was set below another path too. */
export function deviceHashesIn(meta: RequestMeta): string[] {
  return [...new Set(cookieValues(meta, name))]
    .filter((secret) => /^[\w-]{43}$/.test(secret))
    .slice(0, 4)
    .map(hashOfSecret)
}
