import type { Caller } from '../../../http/caller.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { Client } from '../../../shared/http/request-meta.ts'
import type { AccountStore } from '../../../users/accounts/account-store.ts'
import type { User } from '../../../users/user.ts'
import { timestampOf } from '../../../shared/http/timestamp.ts'
import type { SignInProof } from '../../session/sign-in.ts'
import { deviceHashesIn } from './device-cookie.ts'
import type { FactorStore } from '../store/factor-store.ts'
import type { Occasion } from '../passkeys.ts'
import { relyingPartyOf } from '../relying-party.ts'
import { ticketLifetime, type TicketPurpose, type Tickets } from '../tickets.ts'
import { isId } from '../../../shared/random-id.ts'

/** The step of a sign-in after the password. */
export interface LoginFactor {
  /**
   * Lets users through who have no second factor, or whose device is remembered.
   *
   * @throws ServiceError `second-factor-required`, with a ticket
   */
  afterPassword(user: User, caller: Pick<Caller, 'client' | 'meta'>): Promise<SignInProof>
  /** The user of a valid ticket; undefined if it has expired, or the password or a factor was changed since. */
  userOf(ticket: string): Promise<User | undefined>
  /** Uses the ticket. @returns false if it was used before */
  use(ticket: string): Promise<boolean>
}

export interface LoginFactorDeps {
  readonly store: Pick<FactorStore, 'totp' | 'passkeys' | 'useDevice'>
  readonly accounts: Pick<AccountStore, 'userById'>
  readonly tickets: Tickets
  readonly clock: Pick<Clock, 'now'>
}

export function createLoginFactor({ store, accounts, tickets, clock }: LoginFactorDeps): LoginFactor {
  return {
    async afterPassword(user, { client, meta }) {
      if (!user.hasFactor) return { isConfirmed: true }
      const now = clock.now()
      if (await store.useDevice(user, deviceHashesIn(meta), { address: client.address, now })) {
        return { isConfirmed: false, detail: 'remembered-device' }
      }
      const [totp, passkeys] = await Promise.all([store.totp(user.id), store.passkeys(user.id)])
      throw new ServiceError('second-factor-required', {
        extension: {
          ticket: `${user.id}.${tickets.issue('login', subjectOf(user))}`,
          expires_at: timestampOf(now + ticketLifetime),
          methods: [...(totp ? ['totp'] : []), ...(passkeys.length > 0 ? ['passkey'] : []), 'recovery-code'],
        },
      })
    },
    async userOf(ticket) {
      const { id, signed } = partsOf(ticket)
      const user = isId(id) ? await accounts.userById(id) : undefined
      return user?.hasFactor && tickets.isValid(signed, 'login', subjectOf(user)) ? user : undefined
    },
    use: (ticket) => tickets.use(partsOf(ticket).signed),
  }
}

/** What a pending sign-in depends on: a new password or a changed factor cancels it. */
const subjectOf = ({ id, credentialVersion, factorVersion }: User): string =>
  `${id}.${credentialVersion}.${factorVersion}`

function partsOf(ticket: string): { readonly id: string; readonly signed: string } {
  const dot = ticket.indexOf('.')
  return { id: ticket.slice(0, Math.max(0, dot)), signed: ticket.slice(dot + 1) }
}

/** undefined: passkeys don't work at the address of the request. */
export function occasionFor(
  purpose: TicketPurpose,
  subject: string,
  client: Client,
  origins: readonly string[],
): Occasion | undefined {
  const party = relyingPartyOf(client, origins)
  return party && { purpose, subject, party }
}
