import { Type, type Static } from 'typebox'
import { scopeOf, type CameraScope } from '../access/grant.ts'
import type { Roles } from '../access/role.ts'
import { ServiceError } from '../shared/errors.ts'
import type { AnyCodedMessage } from '../shared/coded-message.ts'
import { ReasonResponse, reasonResponse } from '../shared/message-schema.ts'
import { route, type Route } from '../http/route.ts'

/** A role and where it came from; undefined where no role fits. */
export interface ChosenRole {
  /** Who it would be; undefined for nobody. */
  readonly user: string | undefined
  readonly role: string | undefined
  /** The rule that chose it. */
  readonly why: AnyCodedMessage
}

export interface TryAccessDeps {
  readonly roles: () => Roles
  /** The names of the cameras there are, within a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
  /** A database user's role; undefined where there is no such user. */
  readonly roleOfUser: (name: string) => Promise<ChosenRole | undefined>
  /** What a proxy's headers would be taken for. */
  readonly roleOfHeaders: (headers: Readonly<Record<string, string | readonly string[]>>) => ChosenRole
}

const HeaderValue = Type.String({ maxLength: 4096 })

const Tried = Type.Object(
  {
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.Union([HeaderValue, Type.Array(HeaderValue, { maxItems: 16 })]), {
        description: 'A list of values for a header that comes more than once.',
      }),
    ),
  },
  { additionalProperties: false },
)

const AccessPreview = Type.Object({
  user: Type.Union([Type.String(), Type.Null()], { description: 'Who it would be; null for nobody, which is 401.' }),
  role: Type.Union([Type.String(), Type.Null()], { description: 'null where no role fits, which is 403.' }),
  why: Type.String({ description: 'Which rule gave the role, or why none did.' }),
  reason: ReasonResponse,
  actions: Type.Array(Type.String()),
  allowed_cameras: Type.Array(Type.String()),
})
export type AccessPreview = Static<typeof AccessPreview>

/** Lets an admin see what somebody would see, by the very parts that decide. */
export function tryAccessRoutes({ roles, cameraNames, roleOfUser, roleOfHeaders }: TryAccessDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/access/try',
      access: { service: 'access.try' },
      schema: {
        summary: 'The role that a user or a set of proxy headers would have, which rule gives it, and what it may see.',
        body: Tried,
        response: { 200: AccessPreview },
      },
      handle: async ({ body: { user, headers } }) => {
        if ((user === undefined) === (headers === undefined)) {
          const problem = { code: 'user-or-headers', message: 'or `headers` has to be given, and not both' }
          throw new ServiceError('invalid', `user ${problem.message}.`, { problems: [{ field: 'user', ...problem }] })
        }
        const chosen = user === undefined ? roleOfHeaders(headers ?? {}) : await roleOfUser(user)
        if (!chosen) throw new ServiceError('not-found', 'There is no user of that name.', { reason: 'no-such-user' })
        const grant = roles().grantOf(chosen.role)
        return {
          user: chosen.user ?? null,
          role: chosen.role ?? null,
          why: chosen.why.message,
          reason: reasonResponse(chosen.why),
          actions: [...grant.actions].sort(),
          allowed_cameras: cameraNames(scopeOf(grant)),
        }
      },
    }),
  ]
}
