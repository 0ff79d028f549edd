import type { AuditEntry } from '../../../shared/audit/audit.ts'
import type { User } from '../../../users/user.ts'

/** Times are Unix milliseconds. */
export interface Totp {
  /** Sealed. */
  readonly secret: string
  readonly createdAt: number
  readonly lastStep: number
  /** Wrong codes since the last right one. */
  readonly failures: number
  readonly failedAt: number | null
}

export interface Passkey {
  readonly id: string
  readonly userId: string
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly rpId: string
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export interface Device {
  readonly id: string
  readonly userId: string
  readonly credentialVersion: number
  readonly secretHash: string
  readonly address: string
  readonly userAgent: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
}

/** A change of a user's factors. It ends every session of the user but `keptSession`, and forgets the devices. */
export interface FactorChange {
  readonly user: Pick<User, 'id' | 'key'>
  readonly keptSession: string | undefined
  readonly entry: AuditEntry
}

/** The ids of the sessions that a change ended; undefined: nothing was changed. */
export type Ended = readonly string[] | undefined

export interface TotpStore {
  totp(userId: string): Promise<Totp | undefined>
  /** Counts a wrong code in advance. @returns false if another attempt has been counted since `seen` */
  countFailure(userId: string, seen: Pick<Totp, 'failures'>, now: number): Promise<boolean>
  /** Accepts a time step once, and forgets the wrong codes. @returns false if this step or a later one was accepted */
  acceptStep(userId: string, step: number): Promise<boolean>
  /** Keeps the secret of a session's user until it is confirmed. */
  keepNewTotp(sessionId: string, secret: string, expiresAt: number): Promise<void>
  newTotp(sessionId: string, now: number): Promise<string | undefined>
  /** Replaces an earlier one, and all recovery codes. */
  addTotp(
    change: FactorChange,
    totp: Pick<Totp, 'secret' | 'createdAt' | 'lastStep'>,
    codes: readonly string[],
  ): Promise<Ended>
}

export interface PasskeyStore {
  passkeys(userId: string): Promise<Passkey[]>
  passkeyByCredential(credentialId: string): Promise<Passkey | undefined>
  /** Whether any user has a passkey. */
  hasPasskeys(): Promise<boolean>
  /** @param codes hashes of recovery codes; undefined: keep those that the user has */
  addPasskey(change: FactorChange, passkey: Passkey, codes: readonly string[] | undefined): Promise<Ended>
  /** @returns false if the counter has changed since, or the passkey was removed */
  usePasskey(passkey: Pick<Passkey, 'id' | 'counter'>, counter: number, now: number): Promise<boolean>
  renamePasskey(id: string, userId: string, name: string, entry: AuditEntry): Promise<boolean>
}

export interface RecoveryCodeStore {
  countRecoveryCodes(userId: string): Promise<number>
  hasRecoveryCode(userId: string, hash: string): Promise<boolean>
  /** @returns false if the user has no such code */
  useRecoveryCode(userId: string, hash: string, entry: AuditEntry): Promise<boolean>
  replaceRecoveryCodes(userId: string, hashes: readonly string[], entry: AuditEntry): Promise<void>
}

export interface DeviceStore {
  /** The unexpired devices of a user's current password, newest first. */
  devices(user: Pick<User, 'id' | 'credentialVersion'>, now: number): Promise<Device[]>
  /** @returns false if the user was deleted, or the password or a factor has changed since the user was read */
  rememberDevice(device: Device, user: Pick<User, 'factorVersion'>, entry: AuditEntry): Promise<boolean>
  /** Whether one of these hashes is of a remembered device of the user; notes its use. */
  useDevice(
    user: Pick<User, 'id' | 'credentialVersion'>,
    hashes: readonly string[],
    by: { readonly address: string; readonly now: number },
  ): Promise<boolean>
  forgetDevice(id: string, userId: string, entry: AuditEntry): Promise<boolean>
}

/** Second factors in the database. All methods throw ServiceError `unavailable` if it does not respond. */
export interface FactorStore extends TotpStore, PasskeyStore, RecoveryCodeStore, DeviceStore {
  /**
   * Removes the TOTP secret (`totp`) or a passkey by its id. With the last one, the recovery codes go too.
   *
   * @param keepOne whether the user's role requires a second factor
   * @throws ServiceError `conflict` for the last one, if one has to be kept
   */
  removeFactor(change: FactorChange, factor: string, keepOne: boolean): Promise<Ended>
  /** Removes every factor and recovery code, and notes who did it for the user's next sign-in. */
  resetFactors(change: FactorChange, note: { readonly by: string; readonly at: number }): Promise<Ended>
  /** The user has seen who reset the factors. */
  clearReset(user: Pick<User, 'id' | 'key'>): Promise<void>
  /** Notes that the user of a session confirmed who they are. @returns false if the session was ended */
  confirmSession(sessionId: string, at: number): Promise<boolean>
  /** Notes that a ticket was used. @returns false if it was noted before */
  noteTicket(id: string, expiresAt: number, now: number): Promise<boolean>
}
