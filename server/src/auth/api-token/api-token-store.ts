import type { Action } from '../../access/action.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { CursorPosition } from '../../shared/http/cursor.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** An API token. Times are Unix milliseconds. */
export interface ApiToken {
  /** 128 random bits, as hex. */
  readonly id: string
  readonly userId: string
  /** The owner's name, for display, and its key. */
  readonly owner: string
  readonly ownerKey: string
  readonly name: string
  /** SHA-256, as hex. */
  readonly secretHash: string
  /** Keys of its cameras: a camera added later under an old name is another one (CAM-4). null: all of the owner's. */
  readonly cameras: readonly CameraKey[] | null
  /** null: what the owner has on cameras. */
  readonly actions: readonly Action[] | null
  readonly createdAt: number
  /** null: never. */
  readonly expiresAt: number | null
  /** The owner's credential version: the token ends once it differs. null: a new password does not end it. */
  readonly credentialVersion: number | null
  /** The token of the same owner by which it was created, and whose revocation revokes it. null: the owner was signed in. */
  readonly parentId: string | null
  /** For display. */
  readonly parentName: string | null
  readonly lastUsedAt: number | null
  readonly lastUsedFrom: string | null
}

export type NewApiToken = Omit<ApiToken, 'owner' | 'ownerKey' | 'parentName' | 'lastUsedAt' | 'lastUsedFrom'>

/** A token that is revoked, for the audit log. */
export type RevokedToken = Pick<ApiToken, 'id' | 'name' | 'owner'>

/** When and from where a token was used. `at`: Unix milliseconds. */
export interface ApiTokenUse {
  readonly id: string
  readonly at: number
  readonly address: string
}

/**
 * API tokens. Each method but {@link ApiTokenStore.noteUses} is one transaction, and a change writes its audit entry (AUD-1).
 * All methods throw ServiceError `unavailable` if the database does not respond.
 */
export interface ApiTokenStore {
  /** Returns only rows that exist, in any order. */
  tokensById(ids: readonly string[]): Promise<ApiToken[]>
  /** The tokens of a user, the newest first. */
  tokensOf(userId: string): Promise<ApiToken[]>
  /** One page of all tokens, the newest first. */
  tokens(after: CursorPosition | undefined, limit: number): Promise<ApiToken[]>
  /**
   * `absent`: the owner was deleted, or has another password than before. `revoked`: its parent was.
   *
   * @param owner the owner's credential version
   * @param max tokens that a user can have
   */
  add(
    token: NewApiToken,
    owner: number,
    max: number,
    entry: AuditEntry,
  ): Promise<'added' | 'absent' | 'revoked' | 'full'>
  /**
   * Revokes a token, the tokens that it created, those that these created, and so on, with the screens that they paired.
   *
   * @param entryOf the audit entry of each token
   * @param screenEntryOf the audit entry of each screen
   * @returns their ids; none if the token does not exist
   */
  revoke(
    id: string,
    entryOf: (token: RevokedToken) => AuditEntry,
    screenEntryOf: (screen: { readonly id: string; readonly name: string }) => AuditEntry,
  ): Promise<readonly string[]>
  /** Notes when and from where tokens were used, in several transactions if they are many. */
  noteUses(uses: readonly ApiTokenUse[]): Promise<void>
}
