import { onTestFinishedOrLater } from './cleanups.ts'
import { fakeKeys, startFakeProvider, type FakeProvider } from './fake-provider.ts'
import { cookieOf, sessionOf } from './oidc-service.ts'
import { startService, type InProcessOptions, type InProcessService } from './start-service.ts'
import type { Reply, TestClient } from './test-client.ts'

/** A sign-in that a browser has begun. */
export interface Begun {
  readonly location: URL
  readonly state: string
  readonly nonce: string
  readonly cookie: string
}

/** A service whose provider is a fake one. */
export interface FakeOidcService {
  readonly provider: FakeProvider
  readonly service: InProcessService
  begin(query?: string): Promise<Begun>
  /** The provider's response, as the browser brings it. An undefined parameter is left out. */
  callback(parameters: Readonly<Record<string, string | undefined>>, cookie: string): Promise<Reply>
  /** Begins a sign-in and brings the usual response. */
  signIn(query?: string): Promise<Reply>
  /** Signs in, and returns a client with the session's cookie. */
  signedIn(): Promise<TestClient>
}

export async function startFakeOidcService(
  options: Partial<InProcessOptions> & { readonly oidc?: object; readonly auth?: object; readonly more?: object } = {},
): Promise<FakeOidcService> {
  const { oidc, auth, more, ...rest } = options
  const provider = await startFakeProvider()
  onTestFinishedOrLater(async () => provider.stop())
  const service = await startService({
    ...rest,
    config: {
      tls: { enabled: false },
      ...more,
      auth: { failed_login_rate_limit: null, ...auth, oidc: { ...fakeKeys(provider), ...oidc } },
    },
  })
  return { provider, service, ...clientOf(service, provider) }
}

/** The browser's part of a sign-in, at one instance. */
export function clientOf(
  { gate }: InProcessService,
  { issuer }: FakeProvider,
): Pick<FakeOidcService, 'begin' | 'callback' | 'signIn' | 'signedIn'> {
  const begin: FakeOidcService['begin'] = async (query = '') => {
    const begun = await gate.get(`/api/oidc/login${query}`)
    const location = new URL(String(begun.headers.location), gate.base)
    const [state, nonce] = ['state', 'nonce'].map((name) => location.searchParams.get(name) ?? '')
    return { location, state: state!, nonce: nonce!, cookie: cookieOf(begun, 'gatehouse_sign_in') }
  }
  const callback: FakeOidcService['callback'] = (parameters, cookie) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
    return gate.get(`/api/oidc/callback?${query.toString()}`, { cookie })
  }
  const signIn: FakeOidcService['signIn'] = async (query) => {
    const { state, nonce, cookie } = await begin(query)
    return callback({ code: nonce, state, iss: issuer }, cookie)
  }
  return {
    begin,
    callback,
    signIn,
    async signedIn() {
      const done = await signIn()
      const cookie = sessionOf(done)
      if (cookie === '') throw new Error(`the sign-in failed: ${String(done.headers.location)}`)
      return gate.with({ cookie })
    },
  }
}

/** Where a sign-in ended: the reason on the login page; `in`: there is a session. */
export function outcomeOf(done: Reply): string {
  const failure = new URL(String(done.headers.location), 'http://a').searchParams.get('failure')
  if (sessionOf(done) !== '') return failure === null ? 'in' : `in, and ${failure}`
  return failure ?? `status ${done.status}`
}
