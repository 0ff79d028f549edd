import { urlOf } from '../lib/base.ts'
import { dropPrefetched, takePrefetched } from './ahead.ts'
import type { ProblemBody, ProblemResponse, ReasonResponse, RequestBodies } from '../../../server/src/api-types.ts'
import { redirectToSignIn, timeToLeave } from './leave.ts'
import { elsewhere } from './redirect.ts'
import { secondsFrom } from './retry-after.ts'

/** A sign-in that waits for the second factor. */
export interface SecondFactorChallenge {
  readonly ticket: string
  readonly methods: readonly string[]
}

export interface ApiFailure {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code?: string | undefined
  /** Distinguishes failures with the same code. */
  readonly reason?: ReasonResponse | undefined
  readonly problems?: readonly ProblemResponse[] | undefined
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number | undefined
  /** What a sign-in waits for after the password. */
  readonly challenge?: SecondFactorChallenge | undefined
  /** The URL that a proxy keeps redirecting to; shown as a link. */
  readonly goTo?: URL | undefined
}

/** A failed API call. `message` is the service's own text, empty if it sent none. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: ApiFailure

  constructor(message: string, failure: ApiFailure) {
    super(message)
    this.failure = failure
  }
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Call {
  readonly method?: Method
  /** A body in JSON, already serialized: see `sendJson`. */
  readonly json?: string | undefined
  /** A body in YAML. */
  readonly yaml?: string | undefined
  /** The ETag of the version that the change is based on. */
  readonly ifMatch?: string | undefined
  /** The ETag of the local copy; a 304 then counts as success. */
  readonly ifNoneMatch?: string | undefined
  /** Aborts the call. A change without a signal is given up after `changeTimeout`. */
  readonly signal?: AbortSignal | undefined
  /** Whether a 401 is an expected response that doesn't lead to the login page. */
  readonly signingIn?: boolean
}

/** Milliseconds for which a page waits for the response to a change, before it says that the service is unreachable. */
const changeTimeout = 30_000

/** The signed-in user and their grant. */
export const profilePath = 'api/profile'

let toLogin = (): void => {}
let isSigningOut = false

/** Sets what to do when a call finds that the user is no longer signed in. */
export const whenSignedOut = (act: () => void): void => {
  toLogin = () => {
    if (!isSigningOut) act()
  }
}

let askAgain = (): void => {}

/** Sets what to do when a call is forbidden: perhaps the user's role has changed. */
export const whenRefused = (act: () => void): void => {
  askAgain = act
}

let confirmIdentity = (): Promise<boolean> => Promise.resolve(false)

/**
 * Sets how users confirm who they are when a change requires it (MFA-4). The request is then repeated. `act` returns
 * false if they didn't.
 */
export const whenUnconfirmed = (act: () => Promise<boolean>): void => {
  confirmIdentity = act
}

/** For a sign-out that is noticed elsewhere, for example by a socket. */
export const signedOut = (): void => toLogin()

/**
 * Sends one request; `path` is relative to the base. Returns only successful responses. @throws ApiError for all others
 */
export async function send(path: string, call: Call = {}): Promise<Response> {
  const { method = 'GET', json, yaml, ifMatch, ifNoneMatch, signal, signingIn } = call
  const url = urlOf(path)
  let response: Response
  try {
    const ahead = method === 'GET' ? takePrefetched(path) : undefined
    response = await (ahead ??
      fetch(url, {
        method,
        redirect: 'manual',
        credentials: 'same-origin',
        cache: 'no-store',
        headers: {
          accept: 'application/json, */*;q=0.5',
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...(yaml !== undefined && { 'content-type': 'text/yaml' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
          ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
        },
        ...(json !== undefined && { body: json }),
        ...(yaml !== undefined && { body: yaml }),
        signal: signal ?? (method === 'GET' ? null : AbortSignal.timeout(changeTimeout)),
      }))
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('', { status: 0 })
  }
  const away = elsewhere(response, url)
  if (away) throw new ApiError('', { status: response.status, goTo: await redirectToSignIn(away) })
  if (response.ok || (response.status === 304 && ifNoneMatch !== undefined)) return response
  const error = await failureOf(response)
  if (error.failure.code === 'confirm-required') {
    // The user is still signed in.
    if ((await confirmIdentity()) && !signal?.aborted) return send(path, call)
    throw error
  }
  if (response.status === 401) dropPrefetched()
  if (response.status === 401 && !signingIn) toLogin()
  if (error.failure.code === 'forbidden' && path !== profilePath) askAgain()
  throw error
}

/** Ends the session. What ends with it, such as a stream, is expected and doesn't lead to the login page by itself. */
export async function signOut(): Promise<void> {
  isSigningOut = true
  try {
    await send('api/logout', { method: 'POST', signingIn: true })
    dropPrefetched()
  } finally {
    isSigningOut = false
  }
}

/** Leaves the page for a URL that ends the session and leads on. */
export function leaveBySigningOut(url: URL): void {
  isSigningOut = true
  dropPrefetched()
  window.location.assign(url)
  // Its user can decide to stay, because of unsaved changes.
  setTimeout(() => (isSigningOut = false), timeToLeave)
}

/** The names of the parameters in a path: `username` in `/api/users/:username/role`. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamsOf<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never

/**
 * Sends a JSON body to the route with this method and path. The route's schema is the type of the body.
 *
 * @param params the values of the path's parameters
 * @throws ApiError for all responses but the successful ones
 */
export function sendJson<Route extends keyof RequestBodies>(
  route: Route,
  params: Readonly<Record<ParamsOf<Route>, string>>,
  body: RequestBodies[Route],
  call: Pick<Call, 'ifMatch' | 'ifNoneMatch' | 'signal' | 'signingIn'> = {},
): Promise<Response> {
  const [method, path = ''] = route.split(' ')
  const filled = Object.entries<string>(params).reduce(
    (path, [name, value]) => path.replace(`:${name}`, () => encodeURIComponent(value)),
    path.slice(1),
  )
  return send(filled, { ...call, method: method as Method, json: JSON.stringify(body) })
}

/** The JSON of a response. It is not validated here; the service's schemas guarantee `T`. */
export const jsonOf = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T

/** Fetches JSON. */
export const fetchJson = <T>(path: string, call?: Call): Promise<T> => jsonOf(send(path, call))

/** One page of a list. `next` is the query string of the next page, with its `?`; undefined for the last. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** Number of entries in the whole list; undefined if the service didn't say. */
  readonly total: number | undefined
  readonly next: string | undefined
}

/** Fetches one page of a list, with `X-Total-Count` and `Link` read from its headers. */
export async function fetchPage<T>(path: string, call?: Call): Promise<ListPage<T>> {
  const response = await send(path, call)
  const total = response.headers.get('x-total-count')
  return {
    items: (await response.json()) as T[],
    total: total === null ? undefined : Number(total),
    next: /^<(\?[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1],
  }
}

type Reported = Partial<ProblemBody & SecondFactorChallenge>

const challengeIn = ({ code, ticket, methods }: Reported): SecondFactorChallenge | undefined =>
  code === 'second-factor-required' && typeof ticket === 'string' && Array.isArray(methods)
    ? { ticket, methods }
    : undefined

async function failureOf(response: Response): Promise<ApiError> {
  const reported = await response.json().then(
    (body: unknown) => (typeof body === 'object' && body !== null ? (body as Reported) : {}),
    (): Reported => ({}),
  )
  return new ApiError(typeof reported.detail === 'string' ? reported.detail : '', {
    status: response.status,
    code: typeof reported.code === 'string' ? reported.code : undefined,
    reason: typeof reported.reason?.code === 'string' ? reported.reason : undefined,
    problems: Array.isArray(reported.problems) ? reported.problems : undefined,
    challenge: challengeIn(reported),
    retryAfter: secondsFrom(response.headers.get('retry-after'), Date.now()),
  })
}
