import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  refreshTokenGrant,
  type Configuration,
} from 'openid-client'
import { compactVerify, createRemoteJWKSet, customFetch as keyFetch, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../../shared/time/clock.ts'
import { readLogoutToken, type LogoutToken } from './logout-token.ts'
import { createDiscovery, failureAge } from './discovery.ts'
import type { OidcConfig } from '../../config/oidc.config.ts'
import { KeysError, NotConfirmedError } from './provider-failure.ts'
import { providerFetch } from './provider-fetch.ts'
import { isProviderText, isSubject } from './provider-id.ts'
import { scopeParameters } from './scope-parameters.ts'
import { signatureAlgorithms } from './signature-algorithms.ts'

/** The values that bind the provider's response to the browser that asked for it. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What the provider says about a user. */
export interface ProviderFacts {
  readonly issuer: string
  readonly subject: string
  /** Claims of the ID token and of the userinfo endpoint. If they differ: at the sign-in the ID token's, later the endpoint's. */
  readonly claims: Readonly<Record<string, unknown>>
  /** To ask again with; undefined: the provider sent none. */
  readonly refreshToken: string | undefined
  readonly accessToken: string
  /** undefined: the provider sent no new one. */
  readonly idToken: string | undefined
}

export type ProviderTokens = Pick<ProviderFacts, 'refreshToken' | 'accessToken'>

/** The configured identity provider. Each method rejects if the provider is unavailable or refuses. */
export interface Provider {
  /** The URL at which a user signs in. */
  authorizationUrl(checks: SignInChecks, redirectUri: string): Promise<URL>
  /** Exchanges the code in the URL that the provider sent the browser to. */
  signIn(url: URL, checks: SignInChecks): Promise<ProviderFacts>
  /**
   * Asks again whether a user is accepted, and for the groups.
   *
   * @param keep stores new tokens before they are used: the refresh token that they replace is used up
   */
  askAgain(
    subject: string,
    tokens: ProviderTokens,
    keep: (tokens: ProviderTokens) => Promise<void>,
  ): Promise<ProviderFacts>
  /** Where a browser signs out at the provider; undefined: the provider has no such page. */
  signOutUrl(idToken: string, returnTo: string): Promise<URL | undefined>
  /** Checks a logout token. */
  readLogoutToken(token: string): Promise<LogoutToken>
  /** Reads the discovery document, unless it is known. */
  discover(): Promise<void>
}

export interface ProviderDeps {
  readonly settings: () => OidcConfig
  readonly clock: Clock
}

export function createProvider({ settings, clock }: ProviderDeps): Provider {
  const configured = createDiscovery({ settings, clock })
  const keysOf = keySets(clock)

  return {
    async readLogoutToken(token) {
      const { configuration } = await configured()
      const { issuer } = configuration.serverMetadata()
      const { client_id: clientId } = configuration.clientMetadata()
      return readLogoutToken(token, { issuer, clientId, keys: keysOf(configuration), now: clock.now() })
    },
    async discover() {
      await configured()
    },
    async authorizationUrl({ state, nonce, verifier }, redirectUri) {
      const { configuration } = await configured()
      return buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        ...scopeParameters(configuration.serverMetadata().issuer, settings().scopes),
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
    },
    async signIn(url, { state, nonce, verifier }) {
      const { configuration } = await configured()
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedState: state,
        // With a nonce, an ID token is required.
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the provider sent no ID token')
      if (!isSubject(claims.sub)) throw new Error('the subject of the ID token is not one that can be kept')
      if (!isProviderText(claims['sid'] ?? '')) throw new Error('the session id of the ID token cannot be kept')
      return {
        issuer: claims.iss,
        subject: claims.sub,
        claims: { ...(await userInfo(configuration, tokens.access_token, claims.sub)), ...claims },
        refreshToken: tokens.refresh_token,
        accessToken: tokens.access_token,
        idToken: tokens.id_token,
      }
    },
    async askAgain(subject, { refreshToken, accessToken }, keep) {
      const { configuration, unverified } = await configured()
      // Without either, nothing would be asked.
      if (refreshToken === undefined && configuration.serverMetadata().userinfo_endpoint === undefined) {
        throw new NotConfirmedError('the provider sent no refresh token and has no userinfo endpoint')
      }
      const tokens = refreshToken === undefined ? undefined : await refreshTokenGrant(unverified, refreshToken)
      const current = {
        refreshToken: tokens?.refresh_token ?? refreshToken,
        accessToken: tokens?.access_token ?? accessToken,
      }
      if (tokens) await keep(current)
      if (tokens?.id_token !== undefined) await verifySignature(tokens.id_token, keysOf(configuration))
      const claims = tokens?.claims()
      // OpenID Connect Core 1.0, section 12.2.
      if (claims && claims.sub !== subject) throw new NotConfirmedError('the provider answered for another user')
      return {
        issuer: configuration.serverMetadata().issuer,
        subject,
        // A refreshed ID token may repeat the groups of the sign-in.
        claims: { ...claims, ...(await userInfo(configuration, current.accessToken, subject)) },
        ...current,
        idToken: tokens?.id_token,
      }
    },
    async signOutUrl(idToken, returnTo) {
      const { configuration } = await configured()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: returnTo })
    },
  }
}

/** The library has checked everything else of an ID token, also that its algorithm is one of the provider's. */
async function verifySignature(idToken: string, keys: JWTVerifyGetKey): Promise<void> {
  await compactVerify(idToken, keys, { algorithms: [...signatureAlgorithms] })
}

/** The provider's keys, kept for the last URL. Fetched at most every thirty seconds for an unknown key. */
function keySets(clock: Pick<Clock, 'elapsed'>): (configuration: Configuration) => JWTVerifyGetKey {
  let last: { readonly uri: string; readonly keys: JWTVerifyGetKey } | undefined
  return (configuration) => {
    const { jwks_uri: uri } = configuration.serverMetadata()
    if (uri === undefined) throw new Error('the provider has no keys')
    if (last?.uri !== uri) {
      last = { uri, keys: createRemoteJWKSet(new URL(uri), { [keyFetch]: fetchUnlessFailed(clock) }) }
    }
    return last.keys
  }
}

/** Fetches, but not again soon after a failure. */
function fetchUnlessFailed({ elapsed }: Pick<Clock, 'elapsed'>) {
  let failedAt = -Infinity
  return async (url: string, init: RequestInit): Promise<Response> => {
    if (elapsed() - failedAt < failureAge) throw new KeysError("the provider's keys could not be fetched a moment ago")
    try {
      const response = await providerFetch(url, init as Parameters<typeof providerFetch>[1])
      if (!response.ok) throw new KeysError(`the request for the provider's keys has the status ${response.status}`)
      return response
    } catch (error) {
      failedAt = elapsed()
      throw error
    }
  }
}

/** Claims from the userinfo endpoint, whose subject must be the same; none if the provider has no such endpoint. */
async function userInfo(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  return fetchUserInfo(configuration, accessToken, subject)
}
