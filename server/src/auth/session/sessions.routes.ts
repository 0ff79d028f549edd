import { Type } from 'typebox'
import { databaseIdOf, sessionOf, type Identity, type Owner } from '../../access/identity.ts'
import { auditEntry } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import { databaseOwner, type User } from '../../users/user.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import type { Sessions } from './sessions.ts'
import { noSuchUser } from '../../users/user-problems.ts'
import { ownerNamed, userNamed } from '../../users/require-user.ts'
import { sessionResponse, SessionResponse } from './session-response.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'
import type { AuthReasons } from '../reasons.ts'

export interface SessionsRoutesDeps {
  readonly store: Pick<AccountStore, 'userByKey' | 'userById' | 'session'>
  readonly sessions: Pick<Sessions, 'ofUser' | 'end' | 'revokeAllOf'>
}

/** Routes to list and revoke sessions, the caller's own or, for an admin, any user's. */
export function sessionsRoutes({ store, sessions }: SessionsRoutesDeps): Route[] {
  const ownerOfSession = async (id: string): Promise<Owner | undefined> => {
    const session = await store.session(id)
    const user = session && (await store.userById(session.userId))
    return user && databaseOwner(user)
  }
  /** The caller as a database user; undefined for any other caller. */
  const self = async (identity: Identity): Promise<User | undefined> => {
    const id = databaseIdOf(identity)
    return id === undefined ? undefined : store.userById(id)
  }

  return [
    route({
      method: 'GET',
      path: '/api/sessions',
      access: { own: { of: 'query', name: 'user', find: (name) => ownerNamed(name, store) }, or: 'sessions.manage' },
      schema: {
        summary: "List the caller's sessions or, as an admin, a user's.",
        querystring: Type.Object({ user: Type.Optional(Type.String()) }),
        response: { 200: Type.Array(SessionResponse) },
      },
      async handle({ query }, { identity }) {
        const user = await (query.user === undefined ? self(identity) : userNamed(query.user, store))
        if (!user) return []
        return (await sessions.ofUser(user.id)).map((active) => sessionResponse(active, user.name, sessionOf(identity)))
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/sessions/:id',
      access: { own: { of: 'path', name: 'id', find: ownerOfSession }, or: 'sessions.manage' },
      confirm: { never: 'it only takes access away' },
      schema: {
        summary: 'Revoke a session and close its open streams.',
        params: Type.Object({ id: Type.String() }),
        otherResponses: { 204: null },
      },
      async handle({ params: { id } }, { identity, client }) {
        const entry = auditEntry({ identity, client }, 'session.revoke', id)
        if (!(await sessions.end(id, entry))) {
          throw new ServiceError<AuthReasons>('not-found', { reason: 'no-such-session' })
        }
        return respond(id === sessionOf(identity) ? { session: 'clear' } : {})
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/sessions',
      access: { own: { of: 'query', name: 'user', find: (name) => ownerNamed(name, store) }, or: 'sessions.manage' },
      confirm: { never: 'it only takes access away' },
      schema: {
        summary:
          "Revoke all sessions of a user (`user`) or the caller; with `others`, all but the caller's current one.",
        querystring: Type.Object(
          { user: Type.Optional(Type.String()), others: Type.Optional(Type.Literal('true')) },
          // A misspelled parameter must not revoke other sessions than intended.
          { additionalProperties: false },
        ),
        otherResponses: { 204: null },
      },
      async handle({ query }, { identity, owner, isOwn: own, client }) {
        const { user: name, others } = query
        if (name === undefined && others === undefined) {
          throw invalidField('user', fieldProblem('user-or-others'))
        }
        const user = await (name === undefined ? self(identity) : userNamed(name, store))
        if (!user && name === undefined) return undefined
        // The name can be that of a later user by now.
        if (!user || (name !== undefined && user.id !== owner?.userId)) throw noSuchUser()
        const kept = others === 'true' ? sessionOf(identity) : undefined
        const detail = own && kept !== undefined ? 'other-sessions' : undefined
        const entry = auditEntry({ identity, client }, 'session.revoke', user.name, detail)
        await sessions.revokeAllOf(user.id, () => entry, kept)
        return respond(own && kept === undefined ? { session: 'clear' } : {})
      },
    }),
  ]
}
