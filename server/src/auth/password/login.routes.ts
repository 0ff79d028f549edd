import { Type, type Static } from 'typebox'
import type { CameraScope } from '../../access/grant.ts'
import { answer, route, type Caller, type Input, type Route } from '../../http/route.ts'
import type { Audit } from '../../shared/audit.ts'
import { ServiceError } from '../../shared/errors.ts'
import { userAgentOf, type Client } from '../../shared/request-meta.ts'
import type { AccountStore, Session } from '../../users/account-store.ts'
import type { Sessions } from '../session/sessions.ts'
import type { SignIn, Tokens } from './sign-in.ts'
import { nameKey } from '../../users/user-name.ts'
import { Timestamp, moment } from '../../users/views.ts'
import type { Users } from '../../users/users.ts'

const Credentials = Type.Object({ user: Type.String(), password: Type.String() }, { additionalProperties: false })

export const LoginResponse = Type.Object({ username: Type.String(), role: Type.String(), expires_at: Timestamp })
export type LoginResponse = Static<typeof LoginResponse>

export const Profile = Type.Object({
  username: Type.String(),
  role: Type.String(),
  allowed_cameras: Type.Array(Type.String()),
  actions: Type.Array(Type.String()),
  logout_url: Type.Union([Type.String(), Type.Null()]),
  auth: Type.Union([Type.Literal('password'), Type.Literal('proxy'), Type.Literal('none')], {
    description: 'Who vouches for the name: our own password, a proxy, or nobody (the inside port).',
  }),
  sign_in_methods: Type.Array(Type.Union([Type.Literal('password'), Type.Literal('proxy')]), {
    description: 'How users sign in at this service.',
  }),
  recheck_interval: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Seconds after which an open stream ends, to be opened again through the proxy; null: it goes on.',
  }),
  expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the session ends, unless it is renewed; null where there is none.',
  }),
  must_change_password: Type.Boolean({
    description: 'Others know the password (the log, an admin): the UI asks for a new one.',
  }),
  password_printed: Type.Boolean({ description: 'The password was printed in the log.' }),
})
export type Profile = Static<typeof Profile>

export interface LoginSettings {
  readonly enabled: boolean
  readonly cookie_same_site: 'lax' | 'strict' | 'none'
}

/** What of the `proxy` section a user is told. */
export interface ProxySettings {
  readonly enabled: boolean
  /** Seconds. */
  readonly recheck_interval: number
}

export interface LoginRoutesDeps {
  readonly store: Pick<AccountStore, 'session' | 'userById' | 'userByKey'>
  readonly users: Pick<Users, 'byKey'>
  readonly sessions: Pick<Sessions, 'end' | 'find'>
  readonly signIn: Pick<SignIn, 'withPassword'>
  readonly tokens: Pick<Tokens, 'sessionIdsFrom' | 'validSession'>
  readonly settings: () => LoginSettings
  /** Where the UI's logout link leads; null for our own. */
  readonly logoutUrl: (isProxied: boolean) => string | null
  readonly proxy: () => ProxySettings
  /** Names of the existing cameras within a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
  readonly audit: Audit
}

/** Signing in and out, and who one is. */
export function loginRoutes(deps: LoginRoutesDeps): Route[] {
  const { store, users, sessions, signIn, tokens, settings, logoutUrl, proxy, cameraNames, audit } = deps

  const signInMethods = (): readonly ('password' | 'proxy')[] => {
    if (!settings().enabled) return ['proxy']
    return proxy().enabled ? ['password', 'proxy'] : ['password']
  }

  const login = async (user: string, password: string, { client, meta, isProxied }: Caller) => {
    const { enabled, cookie_same_site } = settings()
    // Beside a proxy's identity a session would have no effect (PROXY-17).
    if (!enabled || isProxied) {
      throw new ServiceError('not-found', 'A proxy authenticates here: there is no login.', {
        reason: 'proxy-signs-in',
      })
    }
    if (cookie_same_site === 'none' && !client.encrypted) {
      const why =
        '`auth.cookie_same_site` is `none`, and browsers keep such a cookie only over HTTPS. Sign in over HTTPS.'
      throw new ServiceError('invalid', why, { reason: 'https-needed' })
    }
    const before = await tokens.validSession(meta)
    try {
      const signedIn = await signIn.withPassword(user, password, { client, userAgent: userAgentOf(meta) })
      if (before) await endSession(before.session, client)
      return signedIn
    } catch (error) {
      const { code } = error as Partial<ServiceError>
      if (code === 'login-failed') await recordFailure(user, client)
      else if (code === 'too-many-attempts') {
        // Nothing is looked up for a flood; the failures before it say whose name it was.
        const by = { user: null, source: null, address: client.address }
        audit.record({ action: 'login', result: 'refused', ...by, target: null, detail: code })
      }
      throw error
    }
  }

  /** AUD-4: what was typed as a name may be a password. Only the name of a user that exists is recorded. */
  const recordFailure = async (typed: string, { address }: Client) => {
    const key = nameKey(typed)
    const user = key === undefined ? undefined : await store.userByKey(key)
    audit.record({
      action: 'login',
      result: 'failed',
      user: user?.name ?? null,
      source: 'password',
      address,
      target: null,
      ...(!user && { detail: 'no-such-user' }),
    })
  }

  const endSession = async ({ id, userId }: Pick<Session, 'id' | 'userId'>, { address }: Client) => {
    const user = await store.userById(userId)
    const by = { user: user?.name ?? null, source: 'password', address } as const
    await sessions.end(id, { action: 'logout', result: 'ok', ...by, target: id })
  }

  /** TOK-6: whatever was sent is cleared, and the sessions of all tokens in it that we signed are over. */
  const logout = async ({ client, meta }: Caller) => {
    const shown = settings().enabled ? await tokens.sessionIdsFrom(meta) : []
    for (const id of shown) {
      const session = await store.session(id)
      if (session) await endSession(session, client)
    }
  }

  const out = 'whoever is signed in may leave, with a bad token and with none'

  return [
    route({
      method: 'POST',
      path: '/api/login',
      access: { open: 'nobody is signed in before it' },
      schema: {
        summary: 'Sign in: the cookie that comes back holds the token.',
        body: Credentials,
        response: { 200: LoginResponse },
      },
      async handle({ body: { user, password } }, caller) {
        const signedIn = await login(user, password, caller)
        const { name, role } = signedIn.user
        const body = { username: name, role, expires_at: moment(signedIn.live.expiresAt) }
        return answer({ status: 200, body, session: signedIn.token })
      },
    }),
    route({
      method: 'GET',
      path: '/api/login',
      access: { open: 'it leads to the page where one signs in' },
      schema: { summary: 'On to the login page: the way back from a sign-on in front of the API.' },
      handle: (_input, { client }) => answer({ status: 303, headers: { location: loginPage(client) } }),
    }),
    ...(['/api/logout', '/logout'] as const).flatMap((path) => [
      route({
        method: 'GET',
        path,
        access: { open: out },
        sameOriginOnly: true,
        schema: { summary: 'Sign out, and go on to the login page or `logout_url`.' },
        async handle(_input: Input<unknown>, caller) {
          await logout(caller)
          const location = logoutUrl(caller.isProxied) ?? loginPage(caller.client)
          return answer({ status: 303, headers: { location, ...forgetCache }, session: 'clear' })
        },
      }),
      route({
        method: 'POST',
        path,
        access: { open: out },
        schema: { summary: 'Sign out.' },
        async handle(_input: Input<unknown>, caller) {
          await logout(caller)
          return answer({ status: 204, headers: forgetCache, session: 'clear' })
        },
      }),
    ]),
    route({
      method: 'GET',
      path: '/api/profile',
      access: { signedIn: true },
      schema: { summary: 'Who I am, and what I may do.', response: { 200: Profile } },
      async handle(_input, { identity, grant, scope, isProxied }) {
        if (identity.kind === 'stranger') throw new Error('unreachable: strangers are told to sign in')
        const { source, name, key, role = '', session } = identity
        const user = source === 'password' ? await users.byKey(key) : undefined
        const live = session === undefined ? undefined : await sessions.find(session)
        return {
          username: name,
          role,
          allowed_cameras: [...cameraNames(scope)],
          actions: [...grant.actions],
          logout_url: logoutUrl(isProxied),
          auth: source === 'inside' ? 'none' : source,
          sign_in_methods: [...signInMethods()],
          recheck_interval: source === 'proxy' ? proxy().recheck_interval : null,
          expires_at: live ? moment(live.expiresAt) : null,
          must_change_password: user !== undefined && user.passwordOrigin !== 'own',
          password_printed: user?.passwordOrigin === 'printed',
        }
      },
    }),
  ]
}

/** What the browser kept of pictures and recordings is not the next one's; only over TLS do browsers heed it. */
const forgetCache = { 'clear-site-data': '"cache"' }

const loginPage = ({ basePath }: Client): string => `${basePath}login`
