import { stringifySetCookie } from 'cookie'
import type { Client, RequestMeta } from '../../shared/http/request-meta.ts'
import { cookieNames } from '../cookie-names.ts'
import { cookieValues } from '../cookie-values.ts'

/** What the cookie of a link shows: one of its viewers, signed. */
export interface ShownViewer {
  /** 128 random bits, as hex. */
  readonly viewer: string
  readonly signature: string
}

const name = cookieNames.link
const shape = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/

/** The viewer in a request's cookie; undefined if there is none, or there are different ones. */
export function viewerIn(meta: RequestMeta): ShownViewer | undefined {
  const values = new Set(cookieValues(meta, name))
  const [value = ''] = values
  const [, viewer, signature] = shape.exec(value) ?? []
  return viewer === undefined || signature === undefined || values.size > 1 ? undefined : { viewer, signature }
}

/** The cookie is sent only to what the link shows (LINK-2). @param maxAge seconds */
export const linkCookie = (
  id: string,
  { viewer, signature }: ShownViewer,
  maxAge: number,
  { basePath, encrypted }: Client,
): string =>
  stringifySetCookie({
    name,
    value: `${viewer}.${signature}`,
    maxAge,
    path: `${basePath}api/links/${id}`,
    httpOnly: true,
    sameSite: 'strict',
    secure: encrypted,
  })
