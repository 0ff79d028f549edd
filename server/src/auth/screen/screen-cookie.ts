import { stringifySetCookie } from 'cookie'
import type { Client, RequestMeta } from '../../shared/http/request-meta.ts'
import { cookieNames } from '../cookie/cookie-names.ts'
import { cookiePath } from '../cookie/cookie-path.ts'
import { provenIdIn, provenIdText, type ProvenId } from '../cookie/proven-id.ts'

const name = cookieNames.screen

/** Browsers keep a cookie for 400 days at most. Each start of the screen renews it. */
const maxAge = 400 * 24 * 60 * 60

/** The screen in a request's cookie, and its secret. */
export const screenIn = (meta: RequestMeta) => provenIdIn(meta, name)

/** A page of another site can neither read the cookie nor cause a request with it. */
export const screenCookie = (screen: ProvenId, { basePath, encrypted }: Client): string =>
  stringifySetCookie({
    name,
    value: provenIdText(screen),
    maxAge,
    path: cookiePath(basePath),
    httpOnly: true,
    sameSite: 'strict',
    secure: encrypted,
  })
