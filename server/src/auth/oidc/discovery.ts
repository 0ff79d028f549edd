import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ClientAuth,
  type Configuration,
} from 'openid-client'
import type { Clock } from '../../shared/time/clock.ts'
import { isLoopback, type OidcConfig } from '../config/oidc.config.ts'
import { DiscoveryError } from './provider-failure.ts'
import { providerFetch } from './provider-fetch.ts'

type Settings = Pick<OidcConfig, 'issuer' | 'client_id' | 'client_secret'>

export interface DiscoveryDeps {
  readonly settings: () => Settings
  readonly clock: Pick<Clock, 'elapsed'>
}

interface Found {
  readonly of: Settings
  readonly configuration: Promise<Configuration>
  /** Milliseconds of the steady clock. */
  until: number
}

/** Milliseconds that a discovery document is used. */
const maxAge = 3_600_000
/** Milliseconds until a provider that failed is asked again: a flood of requests must not become one at the provider. */
export const failureAge = 2_000
/** Seconds for one request. */
const timeout = 10

/** What the provider's discovery document says. The function rejects with a {@link DiscoveryError}. */
export function createDiscovery({ settings, clock }: DiscoveryDeps): () => Promise<Configuration> {
  let found: Found | undefined

  return () => {
    const of = settings()
    if (found && isSame(found.of, of) && clock.elapsed() < found.until) return found.configuration
    const mine: Found = { of, configuration: discovered(of), until: clock.elapsed() + maxAge }
    found = mine
    mine.configuration.catch(() => (mine.until = clock.elapsed() + failureAge))
    return mine.configuration
  }
}

async function discovered({ issuer, client_id, client_secret }: Settings): Promise<Configuration> {
  if (issuer === null || client_id === null) throw new Error('no identity provider is configured')
  const document = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const isLocal = document.protocol === 'http:' && isLoopback(document.hostname)
  // The URL of the document itself: for that of an issuer, the library accepts other issuers of some providers.
  const configuration = await discovery(document, client_id, undefined, clientAuth(client_secret), {
    [customFetch]: providerFetch,
    timeout,
    // Without these checks, the signature of an ID token from the token endpoint would not be verified.
    execute: isLocal ? [enableNonRepudiationChecks, allowInsecureRequests] : [enableNonRepudiationChecks],
  }).catch((cause: unknown) => {
    throw new DiscoveryError(`failed to read ${document.href}`, { cause })
  })
  const metadata = configuration.serverMetadata()
  // OpenID Connect Discovery 1.0, section 4.3.
  if (metadata.issuer !== issuer) {
    throw new DiscoveryError(`the issuer in ${document.href} is ${metadata.issuer}, and not ${issuer}`)
  }
  const wrong = endpoints.find((name) => metadata[name] !== undefined && !isAllowed(metadata[name], isLocal))
  if (wrong !== undefined) throw new DiscoveryError(`${wrong} in ${document.href} is no https: URL`)
  return configuration
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
