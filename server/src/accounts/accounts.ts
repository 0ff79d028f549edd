import type { Fact } from '../access/fact.ts'
import type { CameraScope } from '../access/grant.ts'
import type { Roles } from '../access/role.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { limitsOf } from '../shared/rate-limit.ts'
import type { AccountStore } from './account-store.ts'
import { createLoginLimit } from './login-limit.ts'
import { loginRoutes, type LoginRoutesParts, type LoginSettings } from './login.routes.ts'
import type { Passwords } from './passwords.ts'
import type { People } from './people.ts'
import { sessionsRoutes } from './sessions.routes.ts'
import { createSignIn, type Tokens } from './sign-in.ts'
import { usersRoutes } from './users.routes.ts'

/** What of the `auth` section accounts depend on; asked for each time, because it may change while we run. */
export interface AccountSettings extends LoginSettings {
  /** Seconds. */
  readonly session_length: number
  /** Seconds; null for none. */
  readonly session_max_length: number | null
  /** As `parseRateLimit` reads it; null for none. */
  readonly failed_login_rate_limit: string | null
}

export interface AccountsParts {
  readonly store: AccountStore
  readonly people: Pick<People, 'users' | 'sessions'>
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly settings: () => AccountSettings
  readonly roles: () => Roles
  readonly logoutUrl: LoginRoutesParts['logoutUrl']
  readonly proxy: LoginRoutesParts['proxy']
  /** Names of the existing cameras within a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
  readonly cameraExists: (name: string) => boolean
  readonly publish: (fact: Fact) => void
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** People who sign in: the routes by which they do, and by which they are managed. */
export function createAccounts(parts: AccountsParts): { readonly routes: Route[] } {
  const { people, settings, clock } = parts
  const { users, sessions } = people
  const limit = createLoginLimit({ limits: limitsOf(() => settings().failed_login_rate_limit), clock })
  const sessionLength = () => {
    const { session_length: length, session_max_length: most } = settings()
    return most === null ? length : Math.min(length, most)
  }
  const signIn = createSignIn({ ...parts, sessions, limit, sessionLength })
  return {
    routes: [
      ...loginRoutes({ ...parts, users, sessions, signIn }),
      ...usersRoutes({ ...parts, signIn }),
      ...sessionsRoutes({ ...parts, sessions }),
    ],
  }
}
