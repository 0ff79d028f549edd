import { Type } from 'typebox'
import { principalOf } from '../../access/identity.ts'
import { auditEntry, type Caller } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import type { User } from '../../users/user.ts'
import { localUser } from '../../users/local-user.ts'
import type { ExistingRole } from '../../users/accounts/account-store.ts'
import { requireRole, roleReplaced } from '../../users/roles/existing-role.ts'
import { requireSameUser, userInPath } from '../../users/require-user.ts'
import { userNameProblem } from '../../users/user-name.ts'
import { timestampOf } from '../../shared/http/timestamp.ts'
import { cappedByToken, tokenIdOf } from '../api-token/created-by-token.ts'
import type { AuthReasons } from '../reasons.ts'
import { requirePasswords } from '../session/own-sign-in.ts'
import { linkUrl } from '../link-url.ts'
import { hashOfSecret, newSecret } from '../link-secret.ts'
import { acceptRoutes, type AcceptRoutesDeps } from './accept.routes.ts'
import { CreatedLink, NewInvitation, PendingLink, pendingResponse } from './invitation-schema.ts'
import type { OneTimeLink } from './invitation.ts'
import { IdPath } from '../../shared/http/id-path.ts'
import { newId } from '../../shared/random-id.ts'
import { day } from '../../shared/time/durations.ts'

/** Milliseconds for which a link can be used (LINK-4). */
const lifetimes = { invitation: 7 * day, reset: day }
/** Links that are kept, until 30 days after they expired. */
const max = 1000

export type InvitationRoutesDeps = AcceptRoutesDeps

const manage = { service: 'users.manage', about: 'no-camera' } as const

/** Routes to create, list and revoke invitations and password resets, and to use them (LINK-4). */
export const invitationRoutes = (deps: InvitationRoutesDeps): Route[] => [
  ...createRoutes(deps),
  ...pendingRoutes(deps),
  ...acceptRoutes(deps),
]

function createRoutes(deps: InvitationRoutesDeps): Route[] {
  const { store, users, roles, settings, clock, random } = deps

  /** Stores a link and returns its URL. */
  const create = async (
    caller: Caller,
    page: 'invite' | 'reset',
    lifetime: number,
    linkOf: (base: Base) => OneTimeLink,
    entry: AuditEntry,
    role: ExistingRole | null,
  ) => {
    requirePasswords(settings())
    const secret = newSecret(random)
    const { name, authMethod, userId } = principalOf(caller.identity)
    const createdAt = clock.now()
    const link = linkOf({
      id: newId(random),
      secretHash: hashOfSecret(secret),
      createdBy: name,
      createdVia: authMethod,
      creatorId: userId,
      tokenId: tokenIdOf(caller),
      createdAt,
      expiresAt: cappedByToken(createdAt + lifetime, caller),
      ended: null,
    })
    const result = await store.add(link, entry, max, role)
    if (result === 'role-replaced') throw roleReplaced()
    if (result === 'full') {
      throw new ServiceError<AuthReasons>('conflict', { reason: 'too-many-invitations', values: { max } })
    }
    const url = linkUrl(page, { id: link.id, secret }, caller.client)
    return respond({ status: 201, body: { id: link.id, url, expires_at: timestampOf(link.expiresAt) } })
  }

  return [
    route({
      method: 'POST',
      path: '/api/invitations',
      access: manage,
      confirm: true,
      schema: {
        summary: 'Create an invitation: a link that lets one person become a user with this role, valid for 7 days.',
        body: NewInvitation,
        response: { 201: CreatedLink },
      },
      async handle({ body: { role, username } }, caller) {
        const existing = await requireRole(role, { roles, store: users })
        await freeName(username, deps)
        const entry = auditEntry(caller, 'invitation.create', username ?? null, role)
        const linkOf = (base: Base) => ({ ...base, kind: 'invitation', role, username: username ?? null }) as const
        return create(caller, 'invite', lifetimes.invitation, linkOf, entry, existing)
      },
    }),
    route({
      method: 'POST',
      path: '/api/users/:username/password-reset',
      access: { ...manage, user: userInPath(users) },
      confirm: true,
      schema: {
        summary:
          'Create a link by which a user sets a new password, once, within 24 hours. It replaces an earlier one.',
        params: Type.Object({ username: Type.String() }),
        response: { 201: CreatedLink },
      },
      async handle({ params }, caller) {
        const user = localUser(await requireSameUser(params.username, users, caller))
        const { id: userId, name: username, credentialVersion } = user
        const linkOf = (base: Base) => ({ ...base, kind: 'reset', username, userId, credentialVersion }) as const
        const entry = auditEntry(caller, 'password-reset.create', username)
        return create(caller, 'reset', lifetimes.reset, linkOf, entry, null)
      },
    }),
  ]
}

function pendingRoutes({ store, roles, isAccepted, clock }: InvitationRoutesDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/invitations',
      access: manage,
      schema: {
        summary: 'List the invitations and password resets that can still be used, newest first.',
        response: { 200: Type.Array(PendingLink) },
      },
      handle: async () => (await store.pending({ roles: roles(), isAccepted, now: clock.now() })).map(pendingResponse),
    }),
    route({
      method: 'DELETE',
      path: '/api/invitations/:id',
      access: manage,
      confirm: true,
      schema: {
        summary: 'Revoke an invitation or a password reset.',
        params: IdPath,
        otherResponses: { 204: null },
      },
      async handle({ params: { id } }, caller) {
        const entry = (link: OneTimeLink) =>
          link.kind === 'invitation'
            ? auditEntry(caller, 'invitation.revoke', link.username, link.role)
            : auditEntry(caller, 'password-reset.revoke', link.username)
        if (!(await store.revoke(id, entry))) {
          throw new ServiceError<AuthReasons>('not-found', { reason: 'no-such-invitation' })
        }
      },
    }),
  ]
}

type Base = Omit<OneTimeLink, 'kind' | 'role' | 'username' | 'userId' | 'credentialVersion'>

/** @throws ServiceError `invalid-request` for a name that no user can have; `conflict` if it is taken */
async function freeName(username: string | undefined, { users }: Pick<InvitationRoutesDeps, 'users'>): Promise<void> {
  if (username === undefined) return
  const problem = userNameProblem(username)
  if (problem) throw invalidField('username', problem)
  const user: User | undefined = await users.userByKey(username.toLowerCase())
  if (user) throw new ServiceError('conflict', { reason: 'name-taken' })
}
