import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { ScreenLayout } from './screen-layout.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** A paired screen. Times are Unix milliseconds. */
export interface Screen {
  /** 128 random bits, as hex. */
  readonly id: string
  readonly name: string
  /** Keys of its cameras: a camera added later under an old name is another one (CAM-4). */
  readonly cameras: readonly CameraKey[]
  /** Whether it plays audio. */
  readonly audio: boolean
  readonly layout: ScreenLayout
  /** SHA-256 of the cookie's secret, as hex; null: the display has not got its cookie yet. */
  readonly secretHash: string | null
  /** The name of the admin who confirmed it. */
  readonly confirmedBy: string
  /** The API token that confirmed it, and with which it ends; null: the admin was signed in. */
  readonly tokenId: string | null
  readonly createdAt: number
  readonly lastSeenAt: number | null
  readonly address: string | null
}

export type ScreenChange = Partial<Pick<Screen, 'name' | 'cameras' | 'audio' | 'layout'>>

/** A display that waits for an admin. Times are Unix milliseconds. */
export interface Pairing {
  /** SHA-256 of the id with which the display asks, as hex. */
  readonly idHash: string
  /** The code that the display shows. */
  readonly code: string
  readonly address: string
  readonly userAgent: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** The secret that a display gets, and its address. `at`: Unix milliseconds. */
export interface PickUp {
  readonly secretHash: string
  readonly address: string
  readonly at: number
  readonly entry: (screen: Pick<Screen, 'id' | 'name'>) => AuditEntry
}

/**
 * Screens and pairings. Each method is one transaction, and writes the audit entry of its change (AUD-1).
 * All methods throw ServiceError `unavailable` if the database does not respond.
 */
export interface ScreenStore {
  /** All screens, by name. */
  screens(): Promise<Screen[]>
  /** Returns only rows that exist, in any order. */
  screensById(ids: readonly string[]): Promise<Screen[]>
  /** @param max pairings that can wait. */
  addPairing(pairing: Pairing, max: number): Promise<'added' | 'code-taken' | 'full'>
  /** The pairing that waits with a code. @param now Unix milliseconds */
  waitingPairing(code: string, now: number): Promise<Pairing | undefined>
  /**
   * Adds the screen of a waiting pairing. `revoked`: the token that confirms it was.
   *
   * @param pickUpUntil the display can get its cookie until then, Unix milliseconds, or as long as the pairing waits
   * @param max screens that can exist
   */
  confirm(
    code: string,
    screen: Screen,
    entry: AuditEntry,
    { pickUpUntil, max }: { readonly pickUpUntil: number; readonly max: number },
  ): Promise<'confirmed' | 'absent' | 'revoked' | 'full'>
  /** Gives the screen of a confirmed pairing its secret, once. @returns the screen's id */
  pickUp(idHash: string, secret: PickUp): Promise<{ readonly screen: string } | 'waiting' | 'over'>
  /** @returns the changed screen; undefined if it does not exist. */
  change(id: string, change: ScreenChange, entry: AuditEntry): Promise<Screen | undefined>
  revoke(id: string, entry: AuditEntry): Promise<boolean>
  /** Notes when and where a screen was seen, unless it was seen later elsewhere. @param at now, Unix milliseconds */
  touch(id: string, at: number, address: string): Promise<void>
}
