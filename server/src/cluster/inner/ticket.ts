import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Type, type Static } from 'typebox'
import type { Clock } from '../../shared/time/clock.ts'
import { compiledValidator } from '../../shared/compiled-validator.ts'
import { ticketActions, type Ticket } from '../../shared/cluster/inner-client.ts'
import { nullable } from '../../shared/nullable.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

/** One request of one instance to another: a ticket is for this, and for nothing else. */
export interface TicketUse {
  /** Id of the requesting instance. */
  readonly from: string
  /** Id of the instance that answers. */
  readonly to: string
  /** Path with query. */
  readonly path: string
}

/** Signs and verifies the tickets of inner requests, with a key derived from the JWT secret by HKDF (RFC 5869). */
export interface Tickets {
  issue(ticket: Ticket, use: TicketUse): string
  /** @returns undefined if it isn't a ticket, is for something else, has expired, or has been changed */
  verify(text: string, use: TicketUse): Ticket | undefined
}

/** Milliseconds for which a ticket is valid. */
export const ticketLifetime = 30_000
/** Milliseconds by which the clocks of two instances can differ. */
const clockTolerance = 30_000

const Payload = Type.Object(
  {
    camera: nullable(Type.String()),
    action: Type.Enum([...ticketActions]),
    range: Type.Optional(Type.Object({ start: Type.Number(), end: Type.Number() }, { additionalProperties: false })),
    expires: Type.Number(),
  },
  { additionalProperties: false },
)
type Payload = Static<typeof Payload>

const macBytes = 32

export function createTickets(secret: string, clock: Pick<Clock, 'now'>): Tickets {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse inner tickets', 32))
  const macOf = (payload: string, { from, to, path }: TicketUse): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([from, to, path, payload]))
      .digest()
  return {
    issue(ticket, use) {
      const payload = JSON.stringify({ ...ticket, expires: clock.now() + ticketLifetime } satisfies Payload)
      return `${Buffer.from(payload).toString('base64url')}.${macOf(payload, use).toString('base64url')}`
    },
    verify(text, use) {
      const [encoded = '', mac = '', ...more] = text.split('.')
      if (more.length > 0) return undefined
      const payload = exactly(encoded)?.toString('utf8')
      const given = exactly(mac)
      if (payload === undefined || given?.length !== macBytes) return undefined
      if (!timingSafeEqual(macOf(payload, use), given)) return undefined
      const { expires, ...ticket } = payloadIn(payload)
      const left = expires - clock.now()
      return left > 0 && left <= ticketLifetime + clockTolerance
        ? { ...ticket, camera: ticket.camera === null ? null : cameraKey(ticket.camera) }
        : undefined
    },
  }
}

/** The bytes of a base64url text; undefined if another text would have the same bytes. */
function exactly(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** @param payload with a valid signature, so that it comes from an instance, though perhaps of another version */
function payloadIn(payload: string): Payload {
  const parsed: unknown = JSON.parse(payload)
  const validator = compiledValidator(Payload)
  return validator.Check(parsed) ? (parsed as Payload) : nothing
}

/** Has always expired. */
const nothing: Payload = { camera: null, action: 'status', expires: 0 }
