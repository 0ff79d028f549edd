import { Type, type Static } from 'typebox'
import type { Invalidation } from '../../access/invalidation.ts'
import { credentialOf, databaseIdOf, type Owner } from '../../access/identity.ts'
import { auditEntry, type Caller } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import type { CameraKeys } from '../../shared/camera/camera-keys.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { cursorOf, positionFrom } from '../../shared/http/cursor.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Random } from '../../shared/random.ts'
import { databaseOwner } from '../../users/user.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import { ownerNamed, userNamed } from '../../users/require-user.ts'
import { hashOfSecret, newSecret } from '../link-secret.ts'
import type { AuthReasons } from '../reasons.ts'
import { ApiTokenResponse, apiTokenResponse } from './api-token-response.ts'
import type { ApiToken, ApiTokenStore } from './api-token-store.ts'
import { apiTokenText } from './api-token-text.ts'
import type { ApiTokenUses } from './api-token-uses.ts'
import { ApiTokenBody, newApiToken, type NewApiTokenDeps } from './new-api-token.ts'
import { IdPath } from '../../shared/http/id-path.ts'
import { idShape, isId, newId } from '../../shared/random-id.ts'
import { nullable } from '../../shared/nullable.ts'

const NewApiTokenResponse = Type.Object({
  token: Type.String({ description: 'Shown only once: `gh_…`.' }),
  ...ApiTokenResponse.properties,
})
export type NewApiTokenResponse = Static<typeof NewApiTokenResponse>

const ApiTokenPage = Type.Object({
  tokens: Type.Array(ApiTokenResponse),
  cursor: nullable(Type.String(), 'For the next page; null: this is the last one.'),
})
export type ApiTokenPage = Static<typeof ApiTokenPage>

export interface ApiTokenRoutesDeps {
  readonly store: ApiTokenStore
  readonly accounts: Pick<AccountStore, 'userByKey' | 'userById'>
  readonly uses: Pick<ApiTokenUses, 'unwritten'>
  readonly keys: CameraKeys
  readonly cameraNames: NewApiTokenDeps['cameraNames']
  readonly publish: (invalidation: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
}

/** Tokens that a user can have (KEY-1). */
const maxTokens = 100
const pageSize = 200

/** Routes to create, list and revoke API tokens: one's own or, with `tokens.manage`, anyone's (KEY-1, KEY-4). */
export function apiTokenRoutes(deps: ApiTokenRoutesDeps): Route[] {
  const { store, accounts } = deps

  return [
    route({
      method: 'GET',
      path: '/api/tokens',
      access: { own: { of: 'query', name: 'user', find: (name) => ownerNamed(name, accounts) }, or: 'tokens.manage' },
      schema: {
        summary: "List the caller's API tokens or, as an admin, a user's, the newest first.",
        querystring: Type.Object({ user: Type.Optional(Type.String()) }),
        response: { 200: Type.Array(ApiTokenResponse) },
      },
      async handle({ query }, { identity }) {
        const own = databaseIdOf(identity)
        const user = await (query.user !== undefined ? userNamed(query.user, accounts) : own && accounts.userById(own))
        return user ? (await store.tokensOf(user.id)).map((token) => apiTokenResponse(token, deps)) : []
      },
    }),
    route({
      method: 'GET',
      path: '/api/tokens/all',
      access: { service: 'tokens.manage', about: 'no-camera' },
      schema: {
        summary: 'List the API tokens of all users, the newest first.',
        querystring: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 128 })) }),
        response: { 200: ApiTokenPage },
      },
      async handle({ query: { cursor } }) {
        const tokens = await store.tokens(cursor === undefined ? undefined : positionFrom(cursor, idShape), pageSize)
        const last = tokens.length < pageSize ? undefined : tokens.at(-1)
        return {
          tokens: tokens.map((token) => apiTokenResponse(token, deps)),
          cursor: last ? cursorOf(last.createdAt, last.id) : null,
        }
      },
    }),
    createRoute(deps),
    revokeRoute(deps),
  ]
}

function createRoute(deps: ApiTokenRoutesDeps): Route {
  const { store, accounts, keys, cameraNames, clock, random } = deps
  return route({
    method: 'POST',
    path: '/api/tokens',
    access: { account: true, or: 'tokens.manage' },
    confirm: true,
    schema: {
      summary:
        'Create an API token of the caller. A token that creates another gives it no more, and no longer, than it has: its revocation also revokes those that it created, and the screens that it paired.',
      // A token for another user would be a way to act as that user.
      querystring: Type.Object({}, { additionalProperties: false }),
      body: ApiTokenBody,
      response: { 201: NewApiTokenResponse },
    },
    async handle({ body }, caller) {
      const own = databaseIdOf(caller.identity)
      const owner = own === undefined ? undefined : await accounts.userById(own)
      if (!owner) throw noAccount()
      const id = newId(random)
      const secret = newSecret(random)
      const now = clock.now()
      const by = await tokenOf(caller, store)
      const { endsWithPassword, ...limits } = newApiToken(body, caller, by, { cameraNames, keyOf: keys.keyOf, now })
      const token = {
        ...limits,
        id,
        userId: owner.id,
        secretHash: hashOfSecret(secret),
        createdAt: now,
        credentialVersion: endsWithPassword ? owner.credentialVersion : null,
        parentId: by?.id ?? null,
      }
      const entry = auditEntry(caller, 'token.create', id, `${token.name}: ${wordsOf(body)}`)
      const added = await store.add(token, owner.credentialVersion, maxTokens, entry)
      if (added === 'absent') throw noAccount()
      if (added === 'revoked') throw new ServiceError('unauthenticated')
      if (added === 'full') {
        throw new ServiceError<AuthReasons>('conflict', { reason: 'too-many-tokens', values: { max: maxTokens } })
      }
      const created: ApiToken = {
        ...token,
        owner: owner.name,
        ownerKey: owner.key,
        parentName: by?.name ?? null,
        lastUsedAt: null,
        lastUsedFrom: null,
      }
      return respond({
        status: 201,
        body: { token: apiTokenText({ id, secret }), ...apiTokenResponse(created, deps) },
      })
    },
  })
}

function revokeRoute({ store, accounts, publish }: ApiTokenRoutesDeps): Route {
  const ownerOfToken = async (id: string): Promise<Owner | undefined> => {
    const [token] = isId(id) ? await store.tokensById([id]) : []
    const user = token && (await accounts.userById(token.userId))
    return user && databaseOwner(user)
  }
  return route({
    method: 'DELETE',
    path: '/api/tokens/:id',
    access: { own: { of: 'path', name: 'id', find: ownerOfToken }, or: 'tokens.manage' },
    confirm: true,
    schema: {
      summary:
        'Revoke an API token with the tokens that it created and the screens that it paired, and close their open streams.',
      params: IdPath,
      otherResponses: { 204: null },
    },
    async handle({ params: { id } }, caller) {
      const revoked = await store.revoke(
        id,
        (token) => auditEntry(caller, 'token.revoke', token.id, `${token.owner}: ${token.name}`),
        (screen) => auditEntry(caller, 'screen.revoke', screen.id, screen.name),
      )
      for (const each of new Set([id, ...revoked])) publish({ kind: 'credential', id: each })
      if (revoked.length === 0) throw new ServiceError<AuthReasons>('not-found', { reason: 'no-such-token' })
    },
  })
}

/** The token that sends the request. @throws ServiceError `unauthenticated` if it was just revoked */
async function tokenOf({ identity }: Caller, store: ApiTokenStore): Promise<ApiToken | undefined> {
  const credential = credentialOf(identity)
  if (!credential) return undefined
  const [token] = await store.tokensById([credential.id])
  if (!token) throw new ServiceError('unauthenticated')
  return token
}

/** For the audit log. */
const wordsOf = ({ cameras, actions }: ApiTokenBody): string =>
  `${cameras ? cameras.join(', ') : 'all cameras'}; ${actions ? actions.join(', ') : 'default actions'}`

/** Only a user of the database has tokens: a proxy's user has nothing that could end them. */
const noAccount = () => new ServiceError<AuthReasons>('conflict', { reason: 'no-account' })
