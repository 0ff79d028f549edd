import type { Static, TSchema } from 'typebox'
import { mustDeclareConfirm, type Confirm } from '../access/confirmation.ts'
import type { AccessRule } from '../access/rule.ts'
import type { ReadAction } from '../shared/audit/audit.ts'
import type { Caller } from './caller.ts'
import type { LiveSocket } from './response.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route's request and response schemas. An invalid request is rejected with 400 before it reaches the handler. */
export interface RouteSchema {
  /** A verb and its object. */
  readonly summary: string
  readonly description?: string
  readonly params?: TSchema
  readonly querystring?: TSchema
  /** `application/json`, unless {@link RequestSpec.text} says otherwise. */
  readonly body?: TSchema
  /** The handler rejects a request without `If-Match`, 428. */
  readonly ifMatch?: true
  /** JSON bodies by status. */
  readonly response?: Readonly<Record<number, TSchema>>
  /** The media types of responses that aren't JSON with a schema, by status; null: no body. */
  readonly otherResponses?: Readonly<Record<number, string | null>>
}

type Part<S, K extends keyof RouteSchema> = S extends Record<K, infer T extends TSchema> ? Static<T> : undefined

/** The validated parts of a request. */
export interface Input<S> {
  readonly params: Part<S, 'params'>
  readonly query: Part<S, 'querystring'>
  readonly body: Part<S, 'body'>
  /** A header as it was sent; undefined if absent. For preconditions and the like, never for identity. */
  header(name: string): string | undefined
}

interface Spec<S extends RouteSchema> {
  readonly path: `/${string}`
  readonly access: AccessRule
  /** Required for changes to users, roles, credentials and the configuration (MFA-4). */
  readonly confirm?: Confirm
  readonly schema: S
  /**
   * Throws a ServiceError if the service doesn't offer the route to an allowed caller, such as a sign-in where a proxy
   * authenticates (PROXY-1). Called before the body is read, so that it counts whatever the body is.
   */
  readonly requireOffered?: (caller: Caller) => void
  /** GET changes something: cross-origin requests are rejected (TOK-13), and there is no HEAD, which must change nothing. */
  readonly sameOriginOnly?: true
  /** Every error becomes 403, except 401: an outer proxy treats any other status as its own failure (PROXY-14). */
  readonly failsClosed?: true
  /**
   * The audit action of successful reads (AUD-3). Required for routes that return a camera's video or images. `none`: the
   * route is one of a camera and has no JSON response, but returns neither.
   */
  readonly reads?: ReadAction | 'config.read' | 'none'
}

export interface RequestSpec<S extends RouteSchema> extends Spec<S> {
  readonly method: Method | readonly Method[]
  /** The body is text of this media type instead of JSON. */
  readonly text?: string
  /** The request is handled even if its body doesn't arrive. Only for a route that takes none. */
  readonly ignoresBody?: true
  /**
   * The handler waits before it returns an open stream: the stream is registered before, so that it counts while it waits,
   * and ends without last words. `maxPerUser`: how many of this route one user can have open on the gate.
   */
  readonly stream?: { readonly maxPerUser: () => number }
  readonly handle: (input: Input<S>, caller: Caller) => unknown
  /** Handles the same path for WebSocket upgrades. */
  readonly socket?: (socket: LiveSocket, input: Input<S>, caller: Caller) => void
}

export interface SocketSpec<S extends RouteSchema> extends Spec<S> {
  readonly socket: (socket: LiveSocket, input: Input<S>, caller: Caller) => void
}

/** A route without its schema's types, for the server and the access table. */
export interface Route {
  readonly methods: readonly Method[]
  readonly path: string
  readonly access: AccessRule
  readonly confirm: Confirm | undefined
  readonly schema: RouteSchema
  readonly requireOffered: ((caller: Caller) => void) | undefined
  readonly sameOriginOnly: boolean
  readonly failsClosed: boolean
  readonly reads: ReadAction | 'config.read' | undefined
  readonly text: string | undefined
  readonly ignoresBody: boolean
  readonly stream: RequestSpec<RouteSchema>['stream']
  readonly handle: ((input: Input<never>, caller: Caller) => unknown) | undefined
  readonly socket: ((socket: LiveSocket, input: Input<never>, caller: Caller) => void) | undefined
}

export function route<const S extends RouteSchema>(spec: RequestSpec<S> | SocketSpec<S>): Route {
  const { path, access, schema } = spec
  if ('camera' in access && access.of === 'path' && !path.includes('/:camera')) {
    throw new Error(`${path} has no :camera, but its access rule requires one`)
  }
  if ('camera' in access && access.of === 'body' && !schema.body) {
    throw new Error(`${path} has no body, but its access rule requires one`)
  }
  if ('handle' in spec && spec.ignoresBody && (schema.body || spec.text !== undefined)) {
    throw new Error(`${path} takes a body, but declares that it ignores it`)
  }
  const owner = 'own' in access ? access.own : 'user' in access ? access.user : undefined
  if (owner?.of === 'path' && !path.includes(`/:${owner.name}`)) {
    throw new Error(`${path} has no :${owner.name}, but its access rule requires one`)
  }
  const requested = 'handle' in spec ? spec : undefined
  if (changesState(requested?.method) && mustDeclareConfirm(access) && spec.confirm === undefined) {
    throw new Error(`${path} changes what access depends on, but declares no \`confirm\``)
  }
  if ('camera' in access && isMedia(schema, requested?.method) && spec.reads === undefined) {
    throw new Error(`${path} returns a camera's media but declares no \`reads\``)
  }
  return {
    methods: requested ? [requested.method].flat() : ['GET'],
    path,
    access,
    confirm: spec.confirm,
    schema,
    requireOffered: spec.requireOffered,
    sameOriginOnly: spec.sameOriginOnly === true,
    failsClosed: spec.failsClosed === true,
    reads: spec.reads === 'none' ? undefined : spec.reads,
    text: requested?.text,
    ignoresBody: requested?.ignoresBody === true,
    stream: requested?.stream,
    handle: requested?.handle,
    socket: spec.socket,
  }
}

const changesState = (method: RequestSpec<RouteSchema>['method'] | undefined): boolean =>
  method !== undefined && [method].flat().some((each) => each !== 'GET')

/** A GET route without a JSON response returns video or an image. */
const isMedia = ({ response }: RouteSchema, method: RequestSpec<RouteSchema>['method'] | undefined): boolean =>
  response === undefined && (method === undefined || [method].flat().includes('GET'))
