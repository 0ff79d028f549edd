import { stringifySetCookie } from 'cookie'
import type { Client, RequestMeta } from '../../shared/http/request-meta.ts'
import { cookieNames } from '../cookie/cookie-names.ts'
import { provenIdIn, provenIdText, type ProvenId } from '../cookie/proven-id.ts'

const name = cookieNames.link

/** The viewer in a request's cookie, with the signature; undefined if there is none, or there are different ones. */
export function viewerIn(meta: RequestMeta): ProvenId | undefined {
  const viewer = provenIdIn(meta, name)
  return typeof viewer === 'string' ? undefined : viewer
}

/** The cookie is sent only to what the link shows (LINK-2). @param maxAge seconds */
export const linkCookie = (link: string, viewer: ProvenId, maxAge: number, { basePath, encrypted }: Client): string =>
  stringifySetCookie({
    name,
    value: provenIdText(viewer),
    maxAge,
    path: `${basePath}api/links/${link}`,
    httpOnly: true,
    sameSite: 'strict',
    secure: encrypted,
  })
