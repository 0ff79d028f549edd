import { confirmRoutes } from '../auth/factor/account/confirm.routes.ts'
import { enrollmentRoutes } from '../auth/factor/account/enrollment.routes.ts'
import { factorsRoutes } from '../auth/factor/account/factors.routes.ts'
import type { FactorStore } from '../auth/factor/store/factor-store.ts'
import { createLoginFactor, type LoginFactor } from '../auth/factor/login/login-factor.ts'
import { loginFactorRoutes } from '../auth/factor/login/login-factor.routes.ts'
import { createPasskeys } from '../auth/factor/passkeys.ts'
import { createSecondFactor } from '../auth/factor/second-factor.ts'
import { createTickets } from '../auth/factor/tickets.ts'
import type { SignIn } from '../auth/session/sign-in.ts'
import { createSecretBox } from '../auth/secret-box.ts'
import type { Route } from '../http/route.ts'
import type { Auth } from './auth.ts'
import type { Core } from './core.ts'

export interface FactorsDeps {
  readonly core: Core
  readonly auth: Auth
  readonly factors: FactorStore
  readonly signIn: SignIn
}

export type AfterPassword = LoginFactor['afterPassword']

/** Second factors and passkeys: the step of a login after the password, and the routes. */
export function createFactors({ core, auth, factors: store, signIn }: FactorsDeps): {
  readonly afterPassword: AfterPassword
  readonly routes: Route[]
} {
  const { accounts, secret, config, audit, runtime } = core
  const { loginLimit: limit, passwords, publish } = auth
  const { clock, random, log } = runtime('service.accounts')
  const settings = () => config().auth
  const tickets = createTickets({ secret, note: store.noteTicket, clock, random })
  const box = createSecretBox(secret, 'gatehouse totp', random)
  const passkeys = createPasskeys({ store, tickets, clock, log })
  const secondFactor = createSecondFactor({ store, passkeys, box, clock })
  const loginFactor = createLoginFactor({ store, accounts, tickets, clock })
  return {
    afterPassword: loginFactor.afterPassword,
    routes: [
      ...loginFactorRoutes({
        store,
        accounts,
        signIn,
        loginFactor,
        secondFactor,
        passkeys,
        limit,
        settings,
        clock,
        random,
      }),
      ...confirmRoutes({ store, accounts, passwords, secondFactor, passkeys, limit, settings, publish, audit, clock }),
      ...enrollmentRoutes({ store, accounts, passkeys, box, settings, publish, clock, random }),
      ...factorsRoutes({ store, accounts, settings, publish, clock, random }),
    ],
  }
}
