import { errors } from 'jose'
import { Type } from 'typebox'
import { respond } from '../../../http/response.ts'
import { route, type Route } from '../../../http/route.ts'
import type { Audit } from '../../../shared/audit/audit.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { codeOf, ServiceError } from '../../../shared/errors.ts'
import type { Log } from '../../../shared/log.ts'
import type { AuthConfig } from '../../config/auth.config.ts'
import type { AuthReasons } from '../../reasons.ts'
import type { Sessions } from '../../session/sessions.ts'
import { createLogBudget } from '../log-budget.ts'
import { LogoutTokenError, type LogoutToken } from '../provider/logout-token.ts'
import type { Provider } from '../provider/provider.ts'

export interface BackchannelLogoutDeps {
  readonly provider: Pick<Provider, 'readLogoutToken'>
  readonly sessions: Pick<Sessions, 'endAtProvider'>
  readonly settings: () => Pick<AuthConfig, 'enabled' | 'oidc'>
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
}

const maxLength = 16_384

/** The provider's server says that a user signed out there (OIDC-4). */
export function backchannelLogoutRoute(deps: BackchannelLogoutDeps): Route {
  const { provider, sessions, settings, audit, clock, log } = deps
  const logged = createLogBudget(clock)

  const read = async (body: string): Promise<LogoutToken> => {
    try {
      return await provider.readLogoutToken(tokenIn(body))
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause
      if (logged.take()) log.warn({ err: cause }, 'back-channel logout failed')
      // The provider tries again if its keys could not be read.
      if (!isWrong(cause)) throw new ServiceError('unavailable')
      throw refused()
    }
  }

  return route({
    method: 'POST',
    path: '/api/oidc/backchannel-logout',
    access: { open: 'the identity provider signs each request' },
    text: 'application/x-www-form-urlencoded',
    schema: {
      summary: 'End the sessions that a logout token of the identity provider names.',
      body: Type.String({ maxLength, description: '`logout_token=…`' }),
      otherResponses: { 200: null },
    },
    async handle({ body }, { client: { address } }) {
      const { enabled, oidc } = settings()
      if (!enabled || oidc.issuer === null) throw new ServiceError('not-found')
      const by = { auth_method: 'oidc', address } as const
      try {
        const token = await read(body)
        const entry = ({ id, user }: { readonly id: string; readonly user: string }) =>
          ({ action: 'logout', result: 'success', user, ...by, target: id, detail: 'provider' }) as const
        if ((await sessions.endAtProvider({ ...token, now: clock.now() }, entry)) === 'used') throw refused()
      } catch (error) {
        const detail = codeOf(error) ?? 'internal'
        audit.record({
          action: 'logout',
          result: 'failure',
          user: null,
          auth_method: null,
          address,
          target: null,
          detail,
        })
        throw error
      }
      return respond({ status: 200, headers: { 'cache-control': 'no-store' } })
    },
  })
}

const tokenIn = (body: string): string => {
  const [token, ...others] = new URLSearchParams(body).getAll('logout_token')
  if (token === undefined || others.length > 0) throw refused()
  return token
}

/** Whether the token is wrong, and not only its keys out of reach or unreadable. */
const isWrong = (error: unknown): boolean =>
  error instanceof LogoutTokenError || (error instanceof errors.JOSEError && !keyFailures.has(error.code))

/** The general code is that of a key set which has another status than 200, or isn't JSON. */
const keyFailures: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
])

const refused = () => new ServiceError<AuthReasons>('invalid-request', { reason: 'invalid-logout-token' })
