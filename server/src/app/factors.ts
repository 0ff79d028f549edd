import { confirmRoutes, type ConfirmRoutesDeps } from '../auth/factor/confirm.routes.ts'
import { enrollmentRoutes } from '../auth/factor/enrollment.routes.ts'
import { factorsRoutes } from '../auth/factor/factors.routes.ts'
import type { FactorStore } from '../auth/factor/factor-store.ts'
import { createLoginFactor } from '../auth/factor/login-factor.ts'
import { loginFactorRoutes, type LoginFactorRoutesDeps } from '../auth/factor/login-factor.routes.ts'
import { createPasskeys } from '../auth/factor/passkeys.ts'
import { createSecondFactor } from '../auth/factor/second-factor.ts'
import { createTickets } from '../auth/factor/tickets.ts'
import type { SignIn } from '../auth/password/sign-in.ts'
import { createSecretBox } from '../auth/secret-box.ts'
import type { Log } from '../shared/log.ts'
import type { AccountStore } from '../users/accounts/account-store.ts'

export interface FactorsDeps
  extends
    Pick<ConfirmRoutesDeps, 'limit' | 'settings' | 'publish' | 'audit' | 'clock'>,
    Pick<LoginFactorRoutesDeps, 'flow' | 'random'> {
  readonly secret: string
  readonly factors: FactorStore
  readonly accounts: AccountStore
  readonly signIn: SignIn
  readonly log: Log
}

/** Second factors and passkeys: the step of a login after the password, and the routes. */
export function createFactors(deps: FactorsDeps) {
  const { factors: store, accounts, secret, clock, random } = deps
  const tickets = createTickets({ secret, note: store.noteTicket, clock, random })
  const box = createSecretBox(secret, 'gatehouse totp', random)
  const passkeys = createPasskeys({ ...deps, store, tickets })
  const secondFactor = createSecondFactor({ store, passkeys, box, clock })
  const loginFactor = createLoginFactor({ store, accounts, tickets, clock })
  const parts = { ...deps, store, box, passkeys, secondFactor, loginFactor }
  return {
    afterPassword: loginFactor.afterPassword,
    routes: [...loginFactorRoutes(parts), ...confirmRoutes(parts), ...enrollmentRoutes(parts), ...factorsRoutes(parts)],
  }
}
