import { Type, type Static } from 'typebox'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { respond } from '../../../http/response.ts'
import { route, type Route } from '../../../http/route.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { invalidField, ServiceError } from '../../../shared/errors.ts'
import { fieldProblem } from '../../../shared/messages/coded-message.ts'
import type { Random } from '../../../shared/random.ts'
import { userAgentOf } from '../../../shared/http/request-meta.ts'
import { isActive, type User } from '../../../users/user.ts'
import type { AccountStore } from '../../../users/accounts/account-store.ts'
import type { AuthConfig } from '../../config/auth.config.ts'
import { hashOfSecret, newSecret } from '../../link-secret.ts'
import { checkLimited, type LoginLimit } from '../../password/login-limit.ts'
import { LoginResponse, loginResponse } from '../../password/login.routes.ts'
import type { SignIn } from '../../session/sign-in.ts'
import type { AuthReasons } from '../../reasons.ts'
import { deviceCookie, deviceLifetime } from './device-cookie.ts'
import type { FactorStore } from '../store/factor-store.ts'
import { occasionFor, type LoginFactor } from './login-factor.ts'
import type { Passkeys } from '../passkeys.ts'
import { Assertion, Code, PasskeyOptions } from '../proof-schema.ts'
import { requireRelyingParty } from '../relying-party.ts'
import type { FactorKind, SecondFactor } from '../second-factor.ts'
import { newId } from '../../../shared/random-id.ts'

const closed = { additionalProperties: false }
const Ticket = Type.String({ maxLength: 256, description: 'From the response of `POST /api/login`.' })

const SecondFactorBody = Type.Object(
  {
    ticket: Ticket,
    code: Type.Optional(Code),
    assertion: Type.Optional(Assertion),
    remember: Type.Optional(
      Type.Boolean({ description: 'Whether to skip the second factor on this device for 30 days. Default: false.' }),
    ),
  },
  closed,
)
export type SecondFactorBody = Static<typeof SecondFactorBody>

const PasskeyOptionsBody = Type.Object({ ticket: Type.Optional(Ticket) }, closed)
export type PasskeyOptionsBody = Static<typeof PasskeyOptionsBody>

const PasskeyLogin = Type.Object({ assertion: Assertion }, closed)
export type PasskeyLogin = Static<typeof PasskeyLogin>

export interface LoginFactorRoutesDeps {
  readonly store: Pick<FactorStore, 'rememberDevice'>
  readonly accounts: Pick<AccountStore, 'userById'>
  readonly signIn: Pick<SignIn, 'requireOffered' | 'run' | 'complete'>
  readonly loginFactor: LoginFactor
  readonly secondFactor: SecondFactor
  readonly passkeys: Pick<Passkeys, 'requestOptions' | 'verify'>
  readonly limit: LoginLimit
  readonly settings: () => Pick<AuthConfig, 'mfa'>
  readonly clock: Clock
  readonly random: Random
}

const open = { open: 'callers are not signed in yet' }

/** Routes for the second step of a sign-in, and for a sign-in with a passkey alone (MFA-1, MFA-3). */
export function loginFactorRoutes(deps: LoginFactorRoutesDeps): Route[] {
  const { accounts, signIn, loginFactor, passkeys, limit, settings, clock } = deps
  const origins = () => settings().mfa.origins
  const requireOffered = (caller: Caller) => signIn.requireOffered(caller)

  return [
    route({
      method: 'POST',
      path: '/api/login/second-factor',
      access: open,
      requireOffered,
      schema: {
        summary: 'Finish a sign-in with the second factor: a code, or the assertion of a passkey.',
        body: SecondFactorBody,
        response: { 200: LoginResponse },
      },
      async handle({ body }, caller) {
        if (body.code === undefined && body.assertion === undefined) throw invalidField('code', fieldProblem('missing'))
        const user = await loginFactor.userOf(body.ticket)
        const failure = { name: user?.name, detail: 'second-factor' }
        const signedIn = await signIn.run(caller, failure, async (from) => {
          const proven = await prove(user, body, caller, deps)
          return signIn.complete(proven.user, from, { isConfirmed: true, detail: proven.kind })
        })
        const device = body.remember ? await remember(signedIn.user, caller, deps) : undefined
        const headers = device === undefined ? {} : { 'set-cookie': device }
        return respond({ status: 200, body: loginResponse(signedIn), session: signedIn.token, headers })
      },
    }),
    route({
      method: 'POST',
      path: '/api/login/passkey/options',
      access: open,
      requireOffered,
      schema: {
        summary:
          'Get the options with which the browser asks for a passkey: to sign in, or with a ticket as second factor.',
        body: PasskeyOptionsBody,
        response: { 200: PasskeyOptions },
      },
      async handle({ body: { ticket } }, { client }) {
        const party = requireRelyingParty(client, origins())
        if (ticket === undefined)
          return passkeys.requestOptions({ purpose: 'passkey.login', subject: '', party }, undefined)
        const user = await loginFactor.userOf(ticket)
        if (!user) throw loginExpired()
        return passkeys.requestOptions({ purpose: 'passkey.second-factor', subject: user.id, party }, user)
      },
    }),
    route({
      method: 'POST',
      path: '/api/login/passkey',
      access: open,
      requireOffered,
      schema: { summary: 'Sign in with a passkey.', body: PasskeyLogin, response: { 200: LoginResponse } },
      async handle({ body: { assertion } }, caller) {
        const party = requireRelyingParty(caller.client, origins())
        const signedIn = await signIn.run(caller, { detail: 'passkey' }, async (from) => {
          const occasion = { purpose: 'passkey.login', subject: '', party } as const
          const passkey = await checkLimited(limit, caller.client.address, () => passkeys.verify(assertion, occasion))
          // As with a password: a right one of a user who is disabled isn't a failed login.
          const user = passkey && (await accounts.userById(passkey.userId))
          if (!user || !isActive(user, clock.now()))
            throw new ServiceError<AuthReasons>('login-failed', { reason: 'passkey-not-accepted' })
          return signIn.complete(user, from, { isConfirmed: true, detail: 'passkey' })
        })
        return respond({ status: 200, body: loginResponse(signedIn), session: signedIn.token })
      },
    }),
  ]
}

/** MFA-3: a factor that isn't the user's counts as a failed login of the address (RATE-2). @throws ServiceError `login-failed` */
async function prove(
  user: User | undefined,
  { ticket, code, assertion }: SecondFactorBody,
  caller: Caller,
  deps: LoginFactorRoutesDeps,
): Promise<{ readonly user: User; readonly kind: FactorKind }> {
  const { loginFactor, secondFactor, limit, settings } = deps
  // It has expired, or was never one: nothing was guessed.
  if (!user) throw loginExpired()
  const kind = await checkLimited(limit, caller.client.address, async () => {
    const occasion = occasionFor('passkey.second-factor', user.id, caller.client, settings().mfa.origins)
    const entry = entryOf(caller, user, 'recovery-code.use')
    return secondFactor.check(user, { code, assertion }, occasion, entry, async () => {
      if (!(await loginFactor.use(ticket))) throw loginExpired()
    })
  })
  if (kind === undefined) throw new ServiceError<AuthReasons>('login-failed', { reason: 'wrong-second-factor' })
  return { user, kind }
}

/** @returns the device's cookie; undefined if the password or a factor has changed since the user was read */
async function remember(
  user: User,
  caller: Caller,
  { store, clock, random }: LoginFactorRoutesDeps,
): Promise<string | undefined> {
  const { client, meta } = caller
  const secret = newSecret(random)
  const now = clock.now()
  const device = {
    id: newId(random),
    userId: user.id,
    credentialVersion: user.credentialVersion,
    secretHash: hashOfSecret(secret),
    address: client.address,
    userAgent: userAgentOf(meta),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + deviceLifetime,
  }
  const isStored = await store.rememberDevice(device, user, entryOf(caller, user, 'device.remember'))
  return isStored ? deviceCookie(secret, client) : undefined
}

const entryOf = (caller: Caller, { name }: User, action: AuditEntry['action']): AuditEntry => ({
  ...actorOf(caller),
  action,
  result: 'success',
  user: name,
  auth_method: 'password',
  target: name,
})

const loginExpired = () => new ServiceError<AuthReasons>('login-failed', { reason: 'login-expired' })
