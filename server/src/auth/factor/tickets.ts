import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../shared/time/clock.ts'
import type { Random } from '../../shared/random.ts'

/**
 * Short-lived proofs that this service began something: challenges of passkeys, and sign-ins that wait for the second
 * factor. They are signed, so that anyone can start one without a row in the database; only one that was used has a row.
 */
export interface Tickets {
  /** @param subject what the ticket is bound to; it's valid for nothing else */
  issue(purpose: TicketPurpose, subject: string): string
  /** Whether the ticket is for this, and has not expired. */
  isValid(ticket: string, purpose: TicketPurpose, subject: string): boolean
  /** Uses a valid ticket. @returns false if it was used before, by any instance */
  use(ticket: string): Promise<boolean>
}

export type TicketPurpose = 'login' | 'passkey.login' | 'passkey.second-factor' | 'passkey.confirm' | 'passkey.add'

/** Milliseconds (MFA-3). */
export const ticketLifetime = 5 * 60_000

export interface TicketsDeps {
  readonly secret: string
  /** Notes that a ticket was used. Returns false if it was noted before. */
  readonly note: (id: string, expiresAt: number, now: number) => Promise<boolean>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
}

const nonceLength = 16
const headLength = nonceLength + 8

export function createTickets({ secret, note, clock, random }: TicketsDeps): Tickets {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse tickets', 32))
  const signatureOf = (head: Buffer, purpose: string, subject: string) =>
    createHmac('sha256', key)
      .update(head)
      .update(JSON.stringify([purpose, subject]))
      .digest()
  return {
    issue(purpose, subject) {
      const expiry = Buffer.alloc(8)
      expiry.writeBigUInt64BE(BigInt(clock.now() + ticketLifetime))
      const head = Buffer.concat([random.bytes(nonceLength), expiry])
      return Buffer.concat([head, signatureOf(head, purpose, subject)]).toString('base64url')
    },
    isValid(ticket, purpose, subject) {
      const bytes = Buffer.from(ticket, 'base64url')
      if (bytes.length !== headLength + 32 || bytes.toString('base64url') !== ticket) return false
      const signature = signatureOf(bytes.subarray(0, headLength), purpose, subject)
      if (!timingSafeEqual(signature, bytes.subarray(headLength))) return false
      const left = expiryOf(bytes) - clock.now()
      // More than it can have: the clock was set back.
      return left > 0 && left <= ticketLifetime
    },
    use: (ticket) =>
      note(createHash('sha256').update(ticket).digest('hex'), expiryOf(Buffer.from(ticket, 'base64url')), clock.now()),
  }
}

const expiryOf = (bytes: Buffer): number => Number(bytes.readBigUInt64BE(nonceLength))
