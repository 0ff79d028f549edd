import { Type } from 'typebox'
import type { Caller } from '../../../http/caller.ts'
import { respond } from '../../../http/response.ts'
import { route, type Route } from '../../../http/route.ts'
import type { Audit } from '../../../shared/audit/audit.ts'
import { auditLimited } from '../../../shared/audit/limited-attempt.ts'
import { createLogBudget } from '../log-budget.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { codeOf, ServiceError } from '../../../shared/errors.ts'
import type { Log } from '../../../shared/log.ts'
import type { Random } from '../../../shared/random.ts'
import type { Client } from '../../../shared/http/request-meta.ts'
import type { AuthConfig } from '../../config/auth.config.ts'
import type { FactorStore } from '../../factor/store/factor-store.ts'
import type { LoginLimit } from '../../password/login-limit.ts'
import type { SecretBox } from '../../secret-box.ts'
import { requireOwnSignIn } from '../../session/own-sign-in.ts'
import { attemptFrom, type SignIn } from '../../session/sign-in.ts'
import { createExchangePause, type ExchangePause } from './exchange-pause.ts'
import { originOf } from '../origin.ts'
import { gaveNoTokens, isRejectedCode, settingAtFault, signInFailure } from '../provider/provider-failure.ts'
import type { Provider, ProviderFacts } from '../provider/provider.ts'
import type { ProviderSignIn } from './provider-sign-in.ts'
import { returnPath } from './return-path.ts'
import {
  clearedSignInCookie,
  newSignInRequest,
  signInCookie,
  signInRequestIn,
  usedRequestId,
  type SignInRequest,
} from './sign-in-request.ts'

export interface OidcRoutesDeps {
  readonly signIn: Pick<SignIn, 'clientOf'>
  readonly provider: Pick<Provider, 'authorizationUrl' | 'signIn'>
  readonly providerSignIn: ProviderSignIn
  readonly limit: LoginLimit
  /** Notes which requests were used. */
  readonly factors: Pick<FactorStore, 'noteTicket'>
  readonly settings: () => Pick<AuthConfig, 'enabled' | 'oidc' | 'cookie_same_site'>
  /** Seals the request in the browser's cookie. */
  readonly box: SecretBox
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Why a sign-in failed: the login page shows it. */
type Failure = 'provider-unavailable' | 'provider-denied' | 'sign-in-expired' | 'no-role' | 'not-saved'

const text = Type.Optional(Type.String({ maxLength: 8_192 }))

/** Routes to sign in with the identity provider (OIDC-1). */
export function oidcRoutes(deps: OidcRoutesDeps): Route[] {
  const { provider, settings, box, clock, random, log } = deps
  const logged = { begun: createLogBudget(clock), madeUp: createLogBudget(clock) }
  const pause = createExchangePause(clock)

  const issuerFor = (caller: Caller): string => {
    requireOwnSignIn(settings(), caller)
    const { issuer } = settings().oidc
    if (issuer === null) throw new ServiceError('not-found')
    return issuer
  }

  return [
    route({
      method: 'GET',
      path: '/api/oidc/login',
      access: { open: 'callers are not signed in yet' },
      schema: {
        summary: 'Redirect to the identity provider to sign in.',
        querystring: Type.Object({ return_to: text }),
        otherResponses: { 303: null },
      },
      async handle({ query }, caller) {
        const { client } = caller
        const request = newSignInRequest(
          { issuer: issuerFor(caller), redirectUri: callbackUrl(client), returnTo: returnPath(query.return_to) },
          { clock, random },
        )
        try {
          const { href } = await provider.authorizationUrl(request, request.redirectUri)
          return respond({ status: 303, headers: { location: href, 'set-cookie': signInCookie(request, client, box) } })
        } catch (cause) {
          if (logged.begun.take())
            log.warn({ err: cause, setting: settingAtFault(cause) }, 'identity provider unavailable')
          return failed('provider-unavailable', request.returnTo, caller, deps)
        }
      },
    }),
    route({
      method: 'GET',
      path: '/api/oidc/callback',
      access: { open: 'callers are not signed in yet' },
      schema: {
        summary: 'Complete sign-in with the identity provider.',
        description: 'The provider redirects the browser here. Sets the session cookie.',
        querystring: Type.Object({ code: text, state: text, iss: text, error: text, error_description: text }),
        otherResponses: { 303: null },
      },
      async handle({ query }, caller) {
        const issuer = issuerFor(caller)
        const request = signInRequestIn(caller.meta, caller.client, { box, clock })
        // Another browser's response, or one to a sign-in with the provider that was configured before.
        if (request?.issuer !== issuer) return failed('sign-in-expired', '/', caller, deps)
        const url = new URL(request.redirectUri)
        for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
        try {
          const exchange = await exchanged(url, request, caller, deps, pause)
          if (typeof exchange === 'string') return failed(exchange, request.returnTo, caller, deps)
          return await finished(exchange, request.returnTo, caller, deps)
        } catch (cause) {
          if (cause instanceof ServiceError && cause.code !== 'unavailable') throw cause
          if (cause instanceof ServiceError) return failed('not-saved', request.returnTo, caller, deps)
          // A response without a code needs no permit, so that anyone can make it up.
          if (hasCodeFor(request, url) || logged.madeUp.take()) {
            log.warn({ err: cause, setting: settingAtFault(cause) }, 'sign-in with the identity provider failed')
          }
          const failure = signInFailure(cause) === 'denied' ? 'provider-denied' : 'provider-unavailable'
          return failed(failure, request.returnTo, caller, deps)
        }
      },
    }),
  ]
}

interface Exchange {
  readonly facts: ProviderFacts
  readonly lastLogout: number
}

/**
 * Asks the provider, once for each request and within the limits of the address: a flood of callbacks must not become one
 * at the provider. A response for which the provider isn't asked needs no permit: a page elsewhere can make one up, or
 * the user can have canceled, and neither must count as a failed login of the address (RATE-2).
 *
 * @returns why the provider isn't asked: the request was used before, or the provider failed a moment ago
 * @throws ServiceError `too-many-attempts`, `busy`, `unavailable`, or what the provider fails with
 */
async function exchanged(
  url: URL,
  request: SignInRequest,
  caller: Caller,
  deps: OidcRoutesDeps,
  pause: ExchangePause,
): Promise<Exchange | Failure> {
  const { provider, providerSignIn, limit, audit } = deps
  const { address } = caller.client
  if (!hasCodeFor(request, url)) {
    // The library says why not, before it would ask the provider.
    await provider.signIn(url, request)
    throw new Error('the response has no code for this sign-in')
  }
  const permit = await auditLimited(audit, attemptFrom(caller.client), () => limit.acquire(address))
  try {
    if (pause.isOn(address)) return 'provider-unavailable'
    if (!(await isFirstUse(request, deps))) return 'sign-in-expired'
    const lastLogout = await providerSignIn.lastLogout()
    const facts = await provider.signIn(url, request).catch((cause: unknown) => {
      // A provider that fails, or refuses for any other reason, must not keep local users out (OIDC-5).
      if (isRejectedCode(cause)) permit.fail()
      else if (gaveNoTokens(cause)) pause.begin(address)
      throw cause
    })
    return { facts, lastLogout }
  } finally {
    permit.release()
  }
}

/**
 * Otherwise the provider isn't asked: it reports an error, or the response is to a request of another tab or of another
 * provider, and this one is still unused.
 */
const hasCodeFor = ({ state, issuer }: SignInRequest, { searchParams }: URL): boolean =>
  Boolean(searchParams.get('code')) &&
  !searchParams.get('error') &&
  searchParams.get('state') === state &&
  (searchParams.get('iss') || issuer) === issuer

const isFirstUse = (request: SignInRequest, { factors, clock }: OidcRoutesDeps): Promise<boolean> =>
  factors.noteTicket(usedRequestId(request), request.expiresAt, clock.now())

async function finished({ facts, lastLogout }: Exchange, returnTo: string, caller: Caller, deps: OidcRoutesDeps) {
  const { client } = caller
  const from = await deps.signIn.clientOf(caller)
  try {
    const { token } = await deps.providerSignIn.begin(facts, from, lastLogout)
    const headers = { location: pageOf(client, returnTo), 'set-cookie': clearedSignInCookie(client) }
    return respond({ status: 303, headers, session: token })
  } catch (error) {
    if (codeOf(error) !== 'forbidden') throw error
    return failed('no-role', returnTo, caller, deps)
  }
}

/** @param returnTo the page to return to, for another attempt */
function failed(failure: Failure, returnTo: string, { client }: Caller, { audit }: OidcRoutesDeps) {
  audit.record({ ...attemptFrom(client), result: 'failure', detail: failure })
  const query = new URLSearchParams({ failure, ...(returnTo !== '/' && { return: pageOf(client, returnTo) }) })
  const headers = { location: `${client.basePath}login?${query.toString()}`, 'set-cookie': clearedSignInCookie(client) }
  return respond({ status: 303, headers })
}

const pageOf = ({ basePath }: Client, path: string): string => basePath + path.slice(1)

/** Registered at the provider, which refuses any other. */
const callbackUrl = (client: Client): string => `${originOf(client)}${client.basePath}api/oidc/callback`
