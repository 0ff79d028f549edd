import type { Static, TSchema } from 'typebox'
import type { Decision } from '../access/decide.ts'
import type { Grant, CameraScope } from '../access/grant.ts'
import type { Identity } from '../access/identity.ts'
import type { AccessRule } from '../access/rule.ts'
import type { SessionToken, Authentication } from './authentication.ts'
import type { AuditEntry, ReadAction, RecordedRange } from '../shared/audit.ts'
import type { Client, RequestMeta } from '../shared/request-meta.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a route takes and answers. Requests that do not fit are 400 before the handler sees them. */
export interface RouteSchema {
  readonly summary: string
  readonly params?: TSchema
  readonly querystring?: TSchema
  /** `application/json`, unless {@link RouteSpec.text} says otherwise. */
  readonly body?: TSchema
  readonly response?: Readonly<Record<number, TSchema>>
}

type Part<S, K extends keyof RouteSchema> = S extends Record<K, infer T extends TSchema> ? Static<T> : undefined

/** The checked parts of a request. */
export interface Input<S> {
  readonly params: Part<S, 'params'>
  readonly query: Part<S, 'querystring'>
  readonly body: Part<S, 'body'>
  /** One header as it was sent; undefined where it was not. For preconditions and the like, never for identity. */
  header(name: string): string | undefined
}

/** Who asks, after the decision. Of a stream, grant and scope are those of the last time it was decided. */
export interface Caller {
  readonly identity: Identity
  readonly authentication: Authentication
  readonly grant: Grant
  readonly scope: CameraScope
  readonly client: Client
  /** A proxy, and not this service, says who sends the request; known for open routes too. */
  readonly isProxied: boolean
  /** Of a stream: called each time that it may go on, by a grant that allows more or less than the one before. */
  onGrantChange(notify: () => void): void
  /** The request's own headers, for the few routes whose subject is an identity: logging in and out. */
  readonly meta: RequestMeta
}

/** Who asks, as the audit record names them. */
export const who = ({
  identity,
  client: { address },
}: Pick<Caller, 'identity' | 'client'>): Pick<AuditEntry, 'user' | 'source' | 'address'> =>
  identity.kind === 'known'
    ? { user: identity.name, source: identity.source, address }
    : { user: null, source: null, address }

/**
 * Why an open stream is ended. `undecided`: it could not be found out whether it may go on, so it may not. `recheck`:
 * the proxy that vouches for the user has to be asked again, by another request.
 */
export type EndReason = Exclude<Decision, 'allow'> | 'undecided' | 'recheck' | 'stopping'

/** An answer with more to it than a body. */
export interface Answer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Of a stream: what is still sent when its permission ends. */
  readonly lastWords?: (why: EndReason) => string | undefined
  /** Of a route that declares `reads`: which part of the recording this is. */
  readonly range?: RecordedRange
  /** Sets the session cookie, or clears it. */
  readonly session?: SessionToken | 'clear'
}

export class RouteResponse {
  readonly parts: Answer
  constructor(parts: Answer) {
    this.parts = parts
  }
}

/** Hands back more than a body: `return answer({ status: 201, body })`. A `Readable` body is a held stream. */
export const answer = (parts: Answer): RouteResponse => new RouteResponse(parts)

/** The server's end of an open WebSocket, which the gate closes when its permission ends. */
export interface LiveSocket {
  send(data: string | Uint8Array): void
  /** Bytes accepted by {@link send} and not yet handed to the network. */
  readonly waiting: number
  onMessage(receive: (text: string) => void): void
  onClose(done: () => void): void
  /** What is still sent when its permission ends. */
  onEnding(report: (why: EndReason) => string | undefined): void
  /** @param code a WebSocket close code, as 1011 for a failure of ours. */
  close(code: number, reason: string): void
}

interface Spec<S extends RouteSchema> {
  readonly path: `/${string}`
  readonly access: AccessRule
  readonly schema: S
  /** Only our own pages may make a browser ask for it, though its method is a reading one (TOK-13). */
  readonly sameOriginOnly?: true
  /** Whatever goes wrong is 403, or 401: the caller takes any other status for a failure of its own (PROXY-14). */
  readonly failsClosed?: true
  /** How its answers are audited (AUD-3); for whatever shows what a camera sees or saw. */
  readonly reads?: ReadAction | 'config.read'
}

export interface RequestSpec<S extends RouteSchema> extends Spec<S> {
  readonly method: Method | readonly Method[]
  /** The body is text of this media type instead of JSON. */
  readonly text?: string
  readonly handle: (input: Input<S>, caller: Caller) => unknown
  /** The same as a WebSocket, for those who ask for one. */
  readonly socket?: (socket: LiveSocket, input: Input<S>, caller: Caller) => void
}

export interface SocketSpec<S extends RouteSchema> extends Spec<S> {
  readonly socket: (socket: LiveSocket, input: Input<S>, caller: Caller) => void
}

/** A route once its schema's types are forgotten, as the server and the access table hold it. */
export interface Route {
  readonly methods: readonly Method[]
  readonly path: string
  readonly access: AccessRule
  readonly schema: RouteSchema
  readonly sameOriginOnly: boolean
  readonly failsClosed: boolean
  readonly reads: ReadAction | 'config.read' | undefined
  readonly text: string | undefined
  readonly handle: ((input: Input<never>, caller: Caller) => unknown) | undefined
  readonly socket: ((socket: LiveSocket, input: Input<never>, caller: Caller) => void) | undefined
}

export function route<const S extends RouteSchema>(spec: RequestSpec<S> | SocketSpec<S>): Route {
  const { path, access, schema } = spec
  if ('camera' in access && access.of === 'path' && !path.includes('/:camera')) {
    throw new Error(`${path} has no :camera, and its access is decided by one`)
  }
  if ('camera' in access && access.of === 'body' && !schema.body) {
    throw new Error(`${path} has no body, and its access is decided by one`)
  }
  if ('own' in access && access.own.of === 'path' && !path.includes(`/:${access.own.name}`)) {
    throw new Error(`${path} has no :${access.own.name}, and its access is decided by one`)
  }
  const requested = 'handle' in spec ? spec : undefined
  if ('camera' in access && isMedia(schema, requested?.method) && spec.reads === undefined) {
    throw new Error(`${path} answers with media of a camera, and declares no \`reads\``)
  }
  return {
    methods: requested ? [requested.method].flat() : ['GET'],
    path,
    access,
    schema,
    sameOriginOnly: spec.sameOriginOnly === true,
    failsClosed: spec.failsClosed === true,
    reads: spec.reads,
    text: requested?.text,
    handle: requested?.handle,
    socket: spec.socket,
  }
}

/** What is read and has no JSON is video or a picture. */
const isMedia = ({ response }: RouteSchema, method: RequestSpec<RouteSchema>['method'] | undefined): boolean =>
  response === undefined && (method === undefined || [method].flat().includes('GET'))
