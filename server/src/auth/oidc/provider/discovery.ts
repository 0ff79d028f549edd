import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ClientAuth,
} from 'openid-client'
import type { Clock } from '../../../shared/time/clock.ts'
import { isLoopback, type OidcConfig } from '../../config/oidc.config.ts'
import { DiscoveryError } from './provider-failure.ts'
import { providerFetch } from './provider-fetch.ts'
import { hour } from '../../../shared/time/durations.ts'

type Settings = Pick<OidcConfig, 'issuer' | 'client_id' | 'client_secret'>

export interface DiscoveryDeps {
  readonly settings: () => Settings
  readonly clock: Pick<Clock, 'elapsed'>
}

export interface Discovered {
  /** Verifies the signature of each ID token, for which it fetches the provider's keys. */
  readonly configuration: Configuration
  /** For a refresh: leaves the signature to its caller, who has the new tokens to store before keys are fetched. */
  readonly unverified: Configuration
}

interface Found {
  readonly of: Settings
  readonly discovered: Promise<Discovered>
  /** Milliseconds of the steady clock. */
  until: number
}

/** Milliseconds that a discovery document is used. */
const maxAge = hour
/** Milliseconds until a provider that failed is asked again: a flood of requests must not become one at the provider. */
export const failureAge = 2_000

/** What the provider's discovery document says. The function rejects with a {@link DiscoveryError}. */
export function createDiscovery({ settings, clock }: DiscoveryDeps): () => Promise<Discovered> {
  let found: Found | undefined

  return () => {
    const of = settings()
    if (found && isSame(found.of, of) && clock.elapsed() < found.until) return found.discovered
    const mine: Found = { of, discovered: discover(of), until: clock.elapsed() + maxAge }
    found = mine
    mine.discovered.catch(() => (mine.until = clock.elapsed() + failureAge))
    return mine.discovered
  }
}

async function discover({ issuer, client_id, client_secret }: Settings): Promise<Discovered> {
  if (issuer === null || client_id === null) throw new Error('no identity provider is configured')
  const document = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const isLocal = document.protocol === 'http:' && isLoopback(document.hostname)
  const auth = clientAuth(client_secret)
  // The URL of the document itself: for that of an issuer, the library accepts other issuers of some providers.
  const unverified = await discovery(document, client_id, undefined, auth, {
    [customFetch]: providerFetch,
    execute: isLocal ? [allowInsecureRequests] : [],
  }).catch((cause: unknown) => {
    throw new DiscoveryError(`failed to read ${document.href}`, { cause })
  })
  const metadata = unverified.serverMetadata()
  // OpenID Connect Discovery 1.0, section 4.3.
  if (metadata.issuer !== issuer) {
    throw new DiscoveryError(`the issuer in ${document.href} is ${metadata.issuer}, and not ${issuer}`)
  }
  const wrong = endpoints.find((name) => metadata[name] !== undefined && !isAllowed(metadata[name], isLocal))
  if (wrong !== undefined) throw new DiscoveryError(`${wrong} in ${document.href} isn't an https: URL`)
  const configuration = new Configuration(metadata, client_id, undefined, auth)
  configuration[customFetch] = providerFetch
  if (isLocal) allowInsecureRequests(configuration)
  // Without these checks, the signature of an ID token from the token endpoint would not be verified.
  enableNonRepudiationChecks(configuration)
  return { configuration, unverified }
}

const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
] as const

/**
 * Endpoints can be on other hosts, as at large providers, but only over HTTPS; those of a provider on this machine, on
 * this machine.
 *
 * @param isLocal the issuer is an `http:` URL of this machine
 */
function isAllowed(endpoint: unknown, isLocal: boolean): boolean {
  const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null
  return url?.protocol === 'https:' || (isLocal && url?.protocol === 'http:' && isLoopback(url.hostname))
}

/** How this client proves who it is: with its secret in a header or, if the provider accepts only that, in the body. */
const clientAuth = (secret: string | null): ClientAuth =>
  secret === null
    ? None()
    : (server, ...request) => {
        const { token_endpoint_auth_methods_supported: methods = [] } = server
        const inBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
        return (inBody ? ClientSecretPost(secret) : ClientSecretBasic(secret))(server, ...request)
      }

const isSame = (before: Settings, now: Settings): boolean =>
  before.issuer === now.issuer && before.client_id === now.client_id && before.client_secret === now.client_secret
