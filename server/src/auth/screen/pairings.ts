import { ServiceError } from '../../shared/errors.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { Random } from '../../shared/random.ts'
import type { LoginLimit } from '../password/login-limit.ts'
import type { AuthReasons } from '../reasons.ts'
import { createAddressLimit } from './address-limit.ts'
import { newPairingCode, pairingCodeFrom } from './pairing-code.ts'
import { hashOfSecret, newSecret } from '../link-secret.ts'
import type { ProvenId } from '../cookie/proven-id.ts'
import type { Pairing, PickUp, ScreenStore } from './screen-store.ts'

/** What a display gets: the id with which it asks, and the code that it shows. `expiresAt`: Unix milliseconds. */
export interface StartedPairing {
  readonly id: string
  readonly code: string
  readonly expiresAt: number
}

/** Pairs displays. The id only asks for the result, and the code only confirms: neither can be made from the other. */
export interface Pairings {
  /** @throws ServiceError `too-many-attempts`, `busy` */
  start(address: string, userAgent: string): Promise<StartedPairing>
  /**
   * Gives a confirmed display its secret, which is made here, so that only the display ever knows it.
   *
   * @throws ServiceError `too-many-attempts`; `gone` if the pairing expired, was used or never existed
   */
  poll(id: string, address: string, entry: PickUp['entry']): Promise<ProvenId | 'waiting'>
  /**
   * Does something with the pairing that waits with a code. A wrong code counts as a failed login of the admin's address.
   *
   * @throws ServiceError `not-found` for a wrong code; `too-many-attempts`, `busy`
   */
  withCode<Result>(
    typed: string,
    address: string,
    work: (pairing: Pairing) => Promise<Result | 'absent'>,
  ): Promise<Result>
}

export interface PairingsDeps {
  readonly store: Pick<ScreenStore, 'addPairing' | 'waitingPairing' | 'pickUp'>
  readonly limit: LoginLimit
  readonly clock: Clock
  readonly random: Random
}

/** Milliseconds in which an admin can confirm a code. */
const lifetime = 600_000
/** Pairings that can wait: a guess is then right once in a hundred million. */
const maxWaiting = 1000
/** Per address: several displays behind one router can start together and ask every two seconds. */
const starts = { max: 20, every: 30_000 }
const polls = { max: 200, every: 100 }

export function createPairings({ store, limit, clock, random }: PairingsDeps): Pairings {
  const countStart = createAddressLimit(starts, clock)
  const countPoll = createAddressLimit(polls, clock)

  return {
    async start(address, userAgent) {
      countStart(address)
      for (;;) {
        const id = newSecret(random)
        const code = newPairingCode(random)
        const createdAt = clock.now()
        const expiresAt = createdAt + lifetime
        const pairing = { code, address, createdAt, expiresAt, userAgent: userAgent.slice(0, 256).toWellFormed() }
        const added = await store.addPairing({ ...pairing, idHash: hashOfSecret(id) }, maxWaiting)
        if (added === 'added') return { id, code, expiresAt }
        if (added === 'full') {
          throw new ServiceError<AuthReasons>('busy', { reason: 'too-many-pairings', retryAfter: 60 })
        }
      }
    },

    async poll(id, address, entry) {
      countPoll(address)
      const secret = newSecret(random)
      const result = await store.pickUp(hashOfSecret(id), {
        secretHash: hashOfSecret(secret),
        address,
        at: clock.now(),
        entry,
      })
      if (result === 'over') throw new ServiceError<AuthReasons>('gone', { reason: 'pairing-over' })
      return result === 'waiting' ? result : { id: result.screen, proof: secret }
    },

    async withCode(typed, address, work) {
      const permit = await limit.acquire(address)
      try {
        const code = pairingCodeFrom(typed)
        const pairing = code === undefined ? undefined : await store.waitingPairing(code, clock.now())
        const result = pairing ? await work(pairing) : 'absent'
        if (result !== 'absent') return result
        permit.fail()
        throw new ServiceError<AuthReasons>('not-found', { reason: 'wrong-pairing-code' })
      } finally {
        permit.release()
      }
    },
  }
}
