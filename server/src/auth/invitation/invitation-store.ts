import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { ExistingRole, NewPassword } from '../../users/accounts/account-store.ts'
import type { User } from '../../users/user.ts'
import type { Invitation, LinkFacts, LinkState, PasswordReset, OneTimeLink } from './invitation.ts'

/** What decides about every link, and isn't in the database. */
export type LinkContext = Pick<LinkFacts, 'roles' | 'isAccepted' | 'now'>

/** Which link is to be used. */
export interface LinkUse extends LinkContext {
  readonly id: string
  readonly secret: string
}

/** A link that cannot be used; `wrong`: there is none with this id and secret. */
export type Refused = Exclude<LinkState, 'pending'> | 'wrong'

/**
 * Invitations and password resets. Each method is one transaction, and writes the audit entry of its change (AUD-1).
 * All methods throw ServiceError `unavailable` if the database does not respond.
 */
export interface InvitationStore {
  /**
   * A reset replaces the earlier ones of the same user.
   *
   * @param max links that can be kept
   * @param role an invitation's, as it was found; `role-replaced` if it's another one by now
   */
  add(
    link: OneTimeLink,
    entry: AuditEntry,
    max: number,
    role: ExistingRole | null,
  ): Promise<'added' | 'full' | 'role-replaced'>
  /** The links that can still be used, newest first. */
  pending(context: LinkContext): Promise<OneTimeLink[]>
  revoke(id: string, entry: (link: OneTimeLink) => AuditEntry): Promise<boolean>
  find(use: LinkUse): Promise<OneTimeLink | Refused>
  /** Uses an invitation: adds the user. Of several that arrive together, one is accepted. */
  acceptInvitation(
    use: LinkUse,
    user: (invitation: Invitation) => User,
    entry: (invitation: Invitation, user: User) => AuditEntry,
  ): Promise<{ readonly user: User } | Refused | 'taken'>
  /** Uses a reset: sets the user's password, and deletes the sessions. */
  acceptReset(
    use: LinkUse,
    password: NewPassword,
    entry: (reset: PasswordReset) => AuditEntry,
  ): Promise<{ readonly user: User } | Refused>
}
