import { LRUCache } from 'lru-cache'
import { addressKey } from '../../shared/http/address-key.ts'

/**
 * Addresses from which users have signed in. They decide only whose password is checked first while logins flood the
 * service (RATE-7), never what anyone may do.
 */
export interface KnownAddresses {
  add(address: string): void
  has(address: string): boolean
}

/** Max addresses kept: some 100 bytes each. */
export const maxKnownAddresses = 10_000

/** @param stored those of earlier sessions, the latest first */
export function createKnownAddresses(stored: readonly string[]): KnownAddresses {
  const known = new LRUCache<string, true>({ max: maxKnownAddresses })
  const add = (address: string) => void known.set(addressKey(address), true)
  for (const address of stored.toReversed()) add(address)
  return { add, has: (address) => known.get(addressKey(address)) === true }
}
