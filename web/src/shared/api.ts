import { urlOf } from './base.ts'
import { dropAhead, takePrefetched } from './ahead.ts'
import type { ProblemBody, ProblemResponse, ReasonResponse } from './api-types.ts'
import { follow } from './leave.ts'
import { elsewhere } from './redirect.ts'
import { secondsFrom } from './retry-after.ts'

export interface ApiFailure {
  /** HTTP status; 0 where no answer came. */
  readonly status: number
  readonly code?: string | undefined
  /** Tells failures of one code apart. */
  readonly reason?: ReasonResponse | undefined
  readonly problems?: readonly ProblemResponse[] | undefined
  /** Seconds after which to try again. */
  readonly retryAfter?: number | undefined
  /** A proxy keeps sending us here; shown as a link. */
  readonly goTo?: URL | undefined
}

/** A call that did not do what it should. `message` is the service's own words, empty where it sent none. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: ApiFailure

  constructor(message: string, failure: ApiFailure) {
    super(message)
    this.failure = failure
  }
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  /** A body of YAML, sent as it is, in place of `body`. */
  readonly yaml?: string | undefined
  /** The ETag of the version that was changed. */
  readonly ifMatch?: string | undefined
  /** The ETag of what is here already; a 304 is a success then. */
  readonly ifNoneMatch?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** A 401 is an answer here, and does not lead to the login page. */
  readonly signingIn?: boolean
}

/** Who one is, and what one may do. */
export const profilePath = 'api/profile'

let toLogin = (): void => {}

/** Says what to do when a call finds that nobody is signed in any more. */
export const whenSignedOut = (act: () => void): void => {
  toLogin = act
}

let askAgain = (): void => {}

/** Says what to do when a call finds that one may not: perhaps one's role is another by now. */
export const whenRefused = (act: () => void): void => {
  askAgain = act
}

/** For those who learn it another way, as from a socket. */
export const signedOut = (): void => toLogin()

/** Sends one request; `path` is relative to the base. Answers only a success; all else is an {@link ApiError}. */
export async function send(
  path: string,
  { method = 'GET', body, yaml, ifMatch, ifNoneMatch, signal, signingIn }: Call = {},
): Promise<Response> {
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
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(yaml !== undefined && { 'content-type': 'text/yaml' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
          ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(yaml !== undefined && { body: yaml }),
        ...(signal && { signal }),
      }))
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('', { status: 0 })
  }
  const away = elsewhere(response, url)
  if (away) throw new ApiError('', { status: response.status, goTo: await follow(away) })
  if (response.ok || (response.status === 304 && ifNoneMatch !== undefined)) return response
  if (response.status === 401) dropAhead()
  if (response.status === 401 && !signingIn) toLogin()
  const error = await failureOf(response)
  if (error.failure.code === 'forbidden' && path !== profilePath) askAgain()
  throw error
}

/** Asks for JSON. The type is the contract's; the service's schemas hold it to that. */
export async function ask<T>(path: string, call?: Call): Promise<T> {
  const response = await send(path, call)
  return (await response.json()) as T
}

/** Part of a list. `next` is the query of the next page, from its `?`; undefined for the last. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** How many there are in all; undefined where the service did not say. */
  readonly total: number | undefined
  readonly next: string | undefined
}

/** Asks for one page of a list whose headers say what is beyond it. */
export async function askPage<T>(path: string, call?: Call): Promise<ListPage<T>> {
  const response = await send(path, call)
  const total = response.headers.get('x-total-count')
  return {
    items: (await response.json()) as T[],
    total: total === null ? undefined : Number(total),
    next: /^<(\?[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1],
  }
}

async function failureOf(response: Response): Promise<ApiError> {
  const reported = await response.json().then(
    (body: unknown) => (typeof body === 'object' && body !== null ? (body as Partial<ProblemBody>) : {}),
    (): Partial<ProblemBody> => ({}),
  )
  return new ApiError(typeof reported.detail === 'string' ? reported.detail : '', {
    status: response.status,
    code: typeof reported.code === 'string' ? reported.code : undefined,
    reason: typeof reported.reason?.code === 'string' ? reported.reason : undefined,
    problems: Array.isArray(reported.problems) ? reported.problems : undefined,
    retryAfter: secondsFrom(response.headers.get('retry-after'), Date.now()),
  })
}
