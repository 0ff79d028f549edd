import type { SessionToken } from '../../http/authentication.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import type { User } from '../user.ts'

/** Hashing passwords and starting sessions; `auth/` implements it. */
export interface PasswordSignIn {
  hash(password: string): Promise<string>
  /** @throws ServiceError `too-many-attempts`, `busy` */
  isPasswordOf(user: User, password: string, address: string): Promise<boolean>
  /**
   * @param isSignIn whether it counts as the user's last login
   * @returns undefined if the user or the password has changed since.
   */
  begin(
    user: User,
    from: { readonly client: Client; readonly userAgent: string },
    { isSignIn }: { readonly isSignIn: boolean },
  ): Promise<{ readonly token: SessionToken } | undefined>
}
