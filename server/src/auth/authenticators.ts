import type { Authenticated, Authentication } from '../http/authentication.ts'
import type { RequestMeta } from '../shared/http/request-meta.ts'
import type { ApiTokens } from './api-token/api-tokens.ts'
import { noAuthentication } from './no-authentication.ts'
import type { Screens } from './screen/screens.ts'
import type { SessionTokens } from './session/session-token.ts'

/** Authenticates requests by one kind of credentials. */
export interface Authenticator {
  /** @returns undefined if the request has no such credentials */
  readonly authenticate: (meta: RequestMeta) => Authenticated | undefined
  /** Whether the next ones are asked if these credentials aren't valid. Otherwise they decide alone. */
  readonly yields: boolean
}

export interface GateAuthenticatorsDeps {
  /** Authenticates a request that the proxy, not this service, authenticates (PROXY-17). */
  readonly proxy: Authenticator['authenticate']
  readonly apiTokens: Pick<ApiTokens, 'authenticate'>
  readonly sessionTokens: Pick<SessionTokens, 'authenticate'>
  readonly screens: Pick<Screens, 'authenticate'>
}

/** The credentials that the gate accepts, in order: the first that answer win. */
export const gateAuthenticators = (deps: GateAuthenticatorsDeps): readonly Authenticator[] => [
  { authenticate: deps.proxy, yields: false },
  { authenticate: deps.apiTokens.authenticate, yields: false },
  { authenticate: deps.sessionTokens.authenticate, yields: true },
  // Last: a screen's cookie never replaces a person's sign-in on the same display.
  {
    authenticate: (meta) => (hasHeader(meta) ? undefined : deps.screens.authenticate(meta)),
    yields: true,
  },
]

/** TOK-12: credentials that a program sends in a header decide, even if they are invalid. */
const hasHeader = (meta: RequestMeta): boolean => meta.values('authorization').length > 0

/** Authenticates by the first credentials that answer. Not an async function: most requests are authenticated synchronously. */
export function firstOf(authenticators: readonly Authenticator[]): (meta: RequestMeta) => Authenticated {
  const from = (start: number, meta: RequestMeta, rejected: Authentication | undefined): Authenticated => {
    for (let at = start; at < authenticators.length; at += 1) {
      const { authenticate, yields } = authenticators[at]!
      const found = authenticate(meta)
      if (found === undefined) continue
      if (!yields) return found
      if (found instanceof Promise) {
        return found.then((late) => (isIdentified(late) ? late : from(at + 1, meta, toReport(rejected, late))))
      }
      if (isIdentified(found)) return found
      rejected = toReport(rejected, found)
    }
    return rejected ?? noAuthentication
  }
  return (meta) => from(0, meta, undefined)
}

const isIdentified = ({ identity }: Authentication): boolean => identity.kind === 'authenticated'

/** Of rejected credentials, the first about which the client or the audit log learns something. */
const toReport = (before: Authentication | undefined, next: Authentication): Authentication =>
  before && (before.refusedToken || before.clearCookie || !next.refusedToken) ? before : next
