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
import type { Clock } from '../../shared/clock.ts'
import { isLoopback, type OidcConfig } from './oidc.config.ts'
import { DiscoveryError } from './provider-failure.ts'
import { providerFetch } from './provider-fetch.ts'

type Settings = Pick<OidcConfig, 'issuer' | 'client_id' | 'client_secret'>

export interface DiscoveryDeps {
  readonly settings: () => Settings
  readonly clock: Pick<Clock, 'elapsed'>
}

/** Milliseconds that a discovery document is used. */
const maxAge = 3_600_000
/** Seconds for one request. */
const timeout = 10

/** What the provider's discovery document says. The function rejects with a {@link DiscoveryError}. */
export function createDiscovery({ settings, clock }: DiscoveryDeps): () => Promise<Configuration> {
  let found: { readonly of: Settings; readonly at: number; readonly configuration: Promise<Configuration> } | undefined

  return () => {
    const of = settings()
    if (found && isSame(found.of, of) && clock.elapsed() - found.at < maxAge) return found.configuration
    const configuration = discovered(of)
    const mine = { of, at: clock.elapsed(), configuration }
    found = mine
    // A failure is not kept: the next request tries again.
    configuration.catch(() => {
      if (found === mine) found = undefined
    })
    return configuration
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
  const found = configuration.serverMetadata().issuer
  // OpenID Connect Discovery 1.0, section 4.3.
  if (found !== issuer) throw new DiscoveryError(`the issuer in ${document.href} is ${found}, and not ${issuer}`)
  return configuration
}

/** How this client proves who it is: with its secret in a header or, if the provider accepts only that, in the body. */
const clientAuth = (secret: string | null): ClientAuth =>
  secret === null
    ? None()
    : (server, ...request) => {
        const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
        const inBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
        return (inBody ? ClientSecretPost(secret) : ClientSecretBasic(secret))(server, ...request)
      }

const isSame = (before: Settings, now: Settings): boolean =>
  before.issuer === now.issuer && before.client_id === now.client_id && before.client_secret === now.client_secret
