import { Type, type Static } from 'typebox'
import { scopeOf, type CameraScope } from '../access/grant.ts'
import type { Roles } from '../access/role.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { momentIn } from '../shared/moment.ts'
import { type AnyCodedMessage, fieldProblem } from '../shared/coded-message.ts'
import { ReasonResponse, reasonResponse } from '../shared/message-schema.ts'
import { HistoryDays, SuspendedResponse } from '../shared/grant-schema.ts'
import { route, type Route } from '../http/route.ts'

/** A user's role and the rule that assigned it. `role` is undefined if no role applies. */
export interface ChosenRole {
  /** The username the request would have; undefined if it would be unauthenticated. */
  readonly user: string | undefined
  readonly role: string | undefined
  /** The rule that assigned the role, or the reason why none did. */
  readonly reason: AnyCodedMessage
}

export interface TryAccessDeps {
  readonly roles: () => Roles
  /** The names of the existing cameras in a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
  /** A database user's role; undefined if the user does not exist. */
  readonly roleOfUser: (name: string) => Promise<ChosenRole | undefined>
  /** The role that a request with these proxy headers would get. */
  readonly roleOfHeaders: (headers: Readonly<Record<string, string | readonly string[]>>) => ChosenRole
}

const HeaderValue = Type.String({ maxLength: 4096 })

const Tried = Type.Object(
  {
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.Union([HeaderValue, Type.Array(HeaderValue, { maxItems: 16 })]), {
        description: 'Header values by name; a list for a header that is sent more than once.',
      }),
    ),
    at: Type.Optional(Type.String({ format: 'date-time', description: 'Time of the preview. Default: now.' })),
  },
  { additionalProperties: false },
)

export type Tried = Static<typeof Tried>

const AccessPreview = Type.Object({
  user: Type.Union([Type.String(), Type.Null()], { description: 'Username; null if unauthenticated (401).' }),
  role: Type.Union([Type.String(), Type.Null()], { description: 'Role name; null if no role applies (403).' }),
  detail: Type.String({ description: 'The rule that assigned the role, or the reason why none did.' }),
  reason: ReasonResponse,
  actions: Type.Array(Type.String()),
  allowed_cameras: Type.Array(Type.String()),
  suspended: Type.Optional(SuspendedResponse),
  history_days: HistoryDays,
})
export type AccessPreview = Static<typeof AccessPreview>

/** Shows an admin what a user or a set of proxy headers can access, using the same code that decides requests. */
export function tryAccessRoutes({ roles, cameraNames, roleOfUser, roleOfHeaders }: TryAccessDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/access/try',
      access: { service: 'access.try' },
      schema: {
        summary: 'Preview the role and access of a user or a set of proxy headers.',
        body: Tried,
        response: { 200: AccessPreview },
      },
      handle: async ({ body: { user, headers, at } }) => {
        if ((user === undefined) === (headers === undefined)) {
          throw invalidField('user', fieldProblem('user-or-headers'))
        }
        const chosen = user === undefined ? roleOfHeaders(headers ?? {}) : await roleOfUser(user)
        if (!chosen) throw new ServiceError('not-found', { reason: 'no-such-user' })
        const grant = roles().grantOf(chosen.role, at === undefined ? undefined : momentIn('at', at))
        return {
          user: chosen.user ?? null,
          role: chosen.role ?? null,
          detail: chosen.reason.message,
          reason: reasonResponse(chosen.reason),
          actions: [...grant.actions].sort(),
          allowed_cameras: [...cameraNames(scopeOf(grant))],
          ...(grant.suspended && { suspended: grant.suspended }),
          history_days: grant.history === undefined ? null : grant.history / 86_400_000,
        }
      },
    }),
  ]
}
