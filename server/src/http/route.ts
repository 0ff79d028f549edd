import { Type, type Static, type TSchema } from 'typebox'
import type { Decision } from '../access/decide.ts'
import type { Action, CameraAction } from '../access/action.ts'
import { mustDeclareConfirm, type Confirm } from '../access/confirmation.ts'
import type { CameraScope, Grant, ScopedCamera, Suspended } from '../access/grant.ts'
import { nameForAdmins, type Identity } from '../access/identity.ts'
import type { AccessRule, CameraOf } from '../access/rule.ts'
import type { SessionToken, Authentication } from './authentication.ts'
import {
  nameOfActor,
  type Actor,
  type AuditAction,
  type AuditEntry,
  type ReadAction,
  type RecordedRange,
} from '../shared/audit/audit.ts'
import type { Client, RequestMeta } from '../shared/http/request-meta.ts'

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

/** The authorized caller. In an open stream, grant, scope and actions are those of the last reauthorization. */
export interface Caller {
  readonly identity: Identity
  readonly authentication: Authentication
  /** Only for routes of the gate, which decide about other requests. Any other route declares what it needs in its rule. */
  readonly grant: Grant
  readonly scope: CameraScope
  /** The camera by which the request was allowed. @throws Error if the rule is not one of a camera, or its grant was lost */
  readonly camera: ScopedCamera
  /** The scope of one of the rule's `parts`, for a list. @throws Error if the rule doesn't declare it */
  scopeOfPart(action: CameraAction): CameraScope
  /** Whether the response can contain one of the rule's `parts`. @throws Error if the rule doesn't declare it */
  hasPart(action: CameraAction): boolean
  /** Whether the caller has the action of the rule's `details`. */
  readonly seesDetails: boolean
  /** Whether the resource of the rule's `own` is the caller's own. */
  readonly isOwn: boolean
  /** The allowed actions, for display. */
  readonly actions: readonly Action[]
  /** Why the caller's role allows nothing now, for display; undefined: it does. */
  readonly suspended: Suspended | undefined
  /** How old the recorded video can be that the caller sees, milliseconds, for display; undefined: any age. */
  readonly history: number | undefined
  readonly client: Client
  /** Whether a proxy, not this service, authenticates the request. Set for open routes too. */
  readonly isProxied: boolean
  /**
   * Decides again whether the request is allowed, by the current state: for a handler that had to wait before it makes a
   * change. @throws ServiceError if it isn't anymore
   */
  authorizeAgain(): Promise<void>
  /** Registers a listener for an open stream, called when a reauthorization allows it with a different grant. */
  onGrantChange(notify: () => void): void
  /** The request's headers, for the few routes that handle identities: login and logout. */
  readonly meta: RequestMeta
}

/** The caller in the form of an audit entry. */
export const who = ({ identity, client: { address } }: Pick<Caller, 'identity' | 'client'>): Actor => {
  if (identity.kind !== 'authenticated') return { user: null, auth_method: null, address }
  const { authMethod, credential } = identity
  const user = nameForAdmins(identity)
  return credential === undefined
    ? { user, auth_method: authMethod, address }
    : {
        user,
        auth_method: credential.kind,
        credential: { id: credential.id, name: credential.name },
        address,
      }
}

/** The audit entry of what a caller has done. */
export const auditEntry = (
  caller: Pick<Caller, 'identity' | 'client'>,
  action: AuditAction,
  target: string | null,
  detail?: string,
): AuditEntry => ({
  ...who(caller),
  action,
  result: 'success',
  target,
  ...(detail !== undefined && { detail }),
})

/** What a change of the configuration says of the caller: their name in its history, and whether it is still allowed. */
export const changeBy = (caller: Pick<Caller, 'identity' | 'client' | 'authorizeAgain'>) => ({
  author: nameOfActor(who(caller)),
  authorizeAgain: () => caller.authorizeAgain(),
})

/**
 * Why an open stream is closed. `undecided`: reauthorization failed. `recheck`: a new request gets another response, or
 * the proxy must authenticate the user again.
 */
export type EndReason = Exclude<Decision, 'allow'> | 'undecided' | 'recheck' | 'stopping'

/** A response with more than a body. */
export interface RouteResponseInit {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The last data an open stream sends when it is closed for this reason. */
  readonly lastWords?: (reason: EndReason) => string | undefined
  /** The part of the recording that is sent, for the audit log. Only for routes that declare `reads`. */
  readonly range?: RecordedRange
  /** Sets or clears the session cookie. */
  readonly session?: SessionToken | 'clear'
}

export class RouteResponse {
  readonly parts: RouteResponseInit
  constructor(parts: RouteResponseInit) {
    this.parts = parts
  }
}

/**
 * Returns more than a body: `return respond({ status: 201, body })`. Without a body and a status, it's 204, as for a
 * handler that returns nothing. A `Readable` body is registered as an open stream.
 */
export const respond = (parts: RouteResponseInit): RouteResponse => new RouteResponse(parts)

/** The server's end of an open WebSocket. The gate closes it when reauthorization denies access. */
export interface LiveSocket {
  send(data: string | Uint8Array): void
  /** Bytes accepted by {@link send} and not yet handed to the network. */
  readonly waiting: number
  onMessage(receive: (text: string) => void): void
  onClose(done: () => void): void
  /** Sets the last message, sent when the gate closes the socket. */
  onEnding(report: (reason: EndReason) => string | undefined): void
  /** @param code a WebSocket close code, such as 1011 for a server error. */
  close(code: number, reason: string): void
}

/** Where routes of a camera's video are: at the camera, or at a share link that shows it. */
export interface CameraPlace {
  readonly path: `/${string}`
  readonly params: Readonly<Record<string, TSchema>>
  /** The part of their rules that finds the camera. */
  readonly access: { readonly of: CameraOf; readonly link?: true }
}

export const atCamera: CameraPlace = {
  path: '/api/cameras/:camera',
  params: { camera: Type.String() },
  access: { of: 'path' },
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
  if ('own' in access && access.own.of === 'path' && !path.includes(`/:${access.own.name}`)) {
    throw new Error(`${path} has no :${access.own.name}, but its access rule requires one`)
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
    handle: requested?.handle,
    socket: spec.socket,
  }
}

const changesState = (method: RequestSpec<RouteSchema>['method'] | undefined): boolean =>
  method !== undefined && [method].flat().some((each) => each !== 'GET')

/** A GET route without a JSON response returns video or an image. */
const isMedia = ({ response }: RouteSchema, method: RequestSpec<RouteSchema>['method'] | undefined): boolean =>
  response === undefined && (method === undefined || [method].flat().includes('GET'))
