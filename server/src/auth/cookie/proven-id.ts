import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { cookieValues } from './cookie-values.ts'

/** The id of a screen or of a link's viewer in a cookie, with what proves it. */
export interface ProvenId {
  /** 128 random bits, as hex. */
  readonly id: string
  /** A secret, or a signature: 256 bits, base64url. */
  readonly proof: string
}

const shape = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/

/** The id in the cookie with this name. `invalid`: the cookie is not from this service, or there are different ones. */
export function provenIdIn(meta: RequestMeta, cookieName: string): ProvenId | 'none' | 'invalid' {
  const values = new Set(cookieValues(meta, cookieName))
  const [value] = values
  if (value === undefined) return 'none'
  const [, id, proof] = shape.exec(value) ?? []
  return id === undefined || proof === undefined || values.size > 1 ? 'invalid' : { id, proof }
}

/** The value of the cookie. */
export const provenIdText = ({ id, proof }: ProvenId): string => `${id}.${proof}`
