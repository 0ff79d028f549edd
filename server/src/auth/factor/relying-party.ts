import { isIP } from 'node:net'
import { ServiceError } from '../../shared/errors.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import type { AuthReasons } from '../reasons.ts'

/** What a passkey is bound to. */
export interface RelyingParty {
  /** A domain, without the port. */
  readonly id: string
  /** The address in the browser, with its port. */
  readonly origin: string
}

/**
 * The relying party of a request: the address that the browser requested, if it is one of the configured ones or none are
 * configured. undefined: passkeys don't work there, because it isn't one of them or has no domain.
 */
export function relyingPartyOf(
  { host, encrypted }: Pick<Client, 'host' | 'encrypted'>,
  origins: readonly string[],
): RelyingParty | undefined {
  const allowed = origins.map((origin) => URL.parse(origin)).filter((url) => url !== null)
  const url = allowed.length > 0 ? allowed.find((each) => isAt(each, host)) : requested(host, encrypted)
  if (!url || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) return undefined
  return { id: url.hostname, origin: url.origin }
}

/** null: the host is unknown. */
const requested = (host: string, encrypted: boolean): URL | null =>
  URL.parse(`${encrypted ? 'https' : 'http'}://${host}`)

/** Compared with the configured scheme: behind a proxy that ends TLS, the service may not know the browser's. */
const isAt = (url: URL, host: string): boolean => URL.parse(`${url.protocol}//${host}`)?.host === url.host

/** @throws ServiceError `invalid-request` */
export function requireRelyingParty(client: Client, origins: readonly string[]): RelyingParty {
  const party = relyingPartyOf(client, origins)
  if (!party) throw new ServiceError<AuthReasons>('invalid-request', { reason: 'no-passkeys-here' })
  return party
}
