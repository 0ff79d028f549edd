import { Type, type Static } from 'typebox'
import { scopeOf, type CameraScope } from '../access/grant.ts'
import { grantOfIdentity } from '../access/identity-grant.ts'
import type { Roles } from '../access/role.ts'
import type { PreviewedCaller, PreviewedCallers } from '../auth/previewed-caller.ts'
import type { AuthReasons } from '../auth/reasons.ts'
import type { Clock } from '../shared/time/clock.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { momentIn } from '../shared/time/moment.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'
import { ReasonResponse, reasonResponse } from '../shared/http/message-schema.ts'
import { HistoryDays, SuspendedResponse } from '../auth/grant-schema.ts'
import { route, type Route } from '../http/route.ts'
import { nullable } from '../shared/nullable.ts'
import { day } from '../shared/time/durations.ts'

export interface AccessPreviewDeps {
  readonly roles: () => Roles
  /** The names of the existing cameras in a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
  readonly callers: PreviewedCallers
  /** The caller of a request with these proxy headers. */
  readonly callerOfHeaders: (headers: Readonly<Record<string, string | readonly string[]>>) => PreviewedCaller
  readonly clock: Pick<Clock, 'now'>
}

const HeaderValue = Type.String({ maxLength: 4096 })

const Tried = Type.Object(
  {
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of an API token.' })),
    screen: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a paired screen.' })),
    link: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a share link.' })),
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
  user: nullable(
    Type.String(),
    'Name of the user, the owner of the token or link, or the screen; null if they would be refused (401).',
  ),
  role: nullable(Type.String(), 'Role name; null if no role applies (403).'),
  detail: Type.String({ description: 'The rule that assigned the role, or why none did.' }),
  reason: ReasonResponse,
  actions: Type.Array(Type.String()),
  allowed_cameras: Type.Array(Type.String()),
  suspended: Type.Optional(SuspendedResponse),
  history_days: HistoryDays,
  range: Type.Optional(
    Type.Object(
      { start: Type.Number(), end: Type.Number() },
      { description: 'The only recorded time that is shown, Unix seconds, for a link to a recording.' },
    ),
  ),
})
export type AccessPreview = Static<typeof AccessPreview>

/** Shows an admin what a user, a token, a screen, the viewers of a link or a set of proxy headers can access, using the same code that decides requests. */
export const accessPreviewRoutes = (deps: AccessPreviewDeps): Route[] => [
  route({
    method: 'POST',
    path: '/api/access/try',
    access: { service: 'access.try', about: 'no-camera' },
    confirm: { never: 'it changes nothing' },
    schema: {
      summary:
        'Preview the role and access of a user, an API token, a paired screen, a share link or a set of proxy headers.',
      body: Tried,
      response: { 200: AccessPreview },
    },
    handle: async ({ body }) => {
      const at = body.at === undefined ? deps.clock.now() : momentIn('at', body.at)
      return previewOf(await callerOf(body, at, deps), at, deps)
    },
  }),
]

/** @throws ServiceError unless the body names exactly one caller, who exists. */
async function callerOf(
  tried: Tried,
  at: number,
  { callers, callerOfHeaders }: AccessPreviewDeps,
): Promise<PreviewedCaller> {
  const { user, token, screen, link, headers } = tried
  if ([user, token, screen, link, headers].filter((one) => one !== undefined).length !== 1) {
    throw invalidField('user', fieldProblem('one-caller'))
  }
  if (headers !== undefined) return callerOfHeaders(headers)
  if (token !== undefined) return found(await callers.token(token, at), 'no-such-token')
  if (screen !== undefined) return found(await callers.screen(screen, at), 'no-such-screen')
  if (link !== undefined) return found(await callers.link(link, at), 'no-such-link')
  return found(await callers.user(user ?? '', at), 'no-such-user')
}

function found(
  caller: PreviewedCaller | undefined,
  reason: 'no-such-user' | 'no-such-token' | 'no-such-screen' | 'no-such-link',
): PreviewedCaller {
  if (!caller) throw new ServiceError<AuthReasons>('not-found', { reason })
  return caller
}

function previewOf(
  { identity, reason }: PreviewedCaller,
  at: number,
  { roles, cameraNames }: AccessPreviewDeps,
): AccessPreview {
  const grant = grantOfIdentity(roles(), identity, at)
  const isKnown = identity.kind === 'authenticated'
  return {
    user: isKnown ? identity.name : null,
    role: (isKnown ? identity.role : undefined) ?? null,
    detail: reason.message,
    reason: reasonResponse(reason),
    actions: [...grant.actions].sort(),
    allowed_cameras: [...cameraNames(scopeOf(grant))],
    ...(grant.suspended && { suspended: grant.suspended }),
    history_days: grant.history === undefined ? null : grant.history / day,
    ...(grant.until !== undefined && { range: { start: (grant.since ?? 0) / 1000, end: grant.until / 1000 } }),
  }
}
