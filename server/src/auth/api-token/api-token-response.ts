import { Type, type Static } from 'typebox'
import type { CameraKeys } from '../../shared/camera/camera-keys.ts'
import { Timestamp, timestampOf } from '../../shared/http/timestamp.ts'
import type { ApiToken } from './api-token-store.ts'
import { camerasOf } from './api-tokens.ts'
import type { ApiTokenUses } from './api-token-uses.ts'
import { nullable } from '../../shared/nullable.ts'

/** An API token, without its secret. */
export const ApiTokenResponse = Type.Object({
  id: Type.String(),
  name: Type.String(),
  owner: Type.String({ description: 'Username.' }),
  cameras: nullable(
    Type.Array(Type.String()),
    'Names of its cameras; null: every camera of the owner. Empty: none of them exists anymore.',
  ),
  actions: nullable(
    Type.Array(Type.String()),
    "What it can do, if the owner can; null: all of the owner's actions on cameras.",
  ),
  created_at: Timestamp,
  expires_at: nullable(Timestamp, 'null: never.'),
  ends_with_password: Type.Boolean({ description: 'Whether it is revoked when the owner changes the password.' }),
  parent: nullable(
    Type.Object({ id: Type.String(), name: Type.String() }),
    'The token that created it, with which it is revoked; null: the owner created it.',
  ),
  last_used_at: nullable(Timestamp, 'Last use; null: never.'),
  last_used_from: nullable(Type.String(), 'Address of the last use.'),
})
export type ApiTokenResponse = Static<typeof ApiTokenResponse>

export interface ApiTokenResponseDeps {
  readonly keys: Pick<CameraKeys, 'nameOf'>
  readonly uses: Pick<ApiTokenUses, 'unwritten'>
}

export function apiTokenResponse(token: ApiToken, { keys, uses }: ApiTokenResponseDeps): ApiTokenResponse {
  const use = uses.unwritten(token.id)
  const usedAt = use?.at ?? token.lastUsedAt
  return {
    id: token.id,
    name: token.name,
    owner: token.owner,
    cameras: camerasOf(token, keys),
    actions: token.actions && [...token.actions],
    created_at: timestampOf(token.createdAt),
    expires_at: token.expiresAt === null ? null : timestampOf(token.expiresAt),
    ends_with_password: token.credentialVersion !== null,
    parent: token.parentId === null ? null : { id: token.parentId, name: token.parentName ?? '' },
    last_used_at: usedAt === null ? null : timestampOf(usedAt),
    last_used_from: use?.address ?? token.lastUsedFrom,
  }
}
