import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../../shared/cache-limit.ts'
import { addressKey } from '../../../shared/http/address-key.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { failureAge } from '../provider/discovery.ts'

/**
 * The addresses for which the provider has just failed to exchange a code, or refused for another reason than the code.
 * Such an exchange isn't a failed login, so without a pause, a flood of codes that were made up would become one at a
 * provider that fails, or wants fewer requests. Other addresses don't wait: some failures can be caused by a code.
 */
export interface ExchangePause {
  begin(address: string): void
  isOn(address: string): boolean
}

/** Max addresses kept. */
const max = 10_000

export function createExchangePause({ elapsed }: Pick<Clock, 'elapsed'>): ExchangePause {
  const until = new LRUCache<string, number>(cacheLimit(max))
  return {
    begin: (address) => void until.set(addressKey(address), elapsed() + failureAge),
    isOn: (address) => (until.get(addressKey(address)) ?? -Infinity) > elapsed(),
  }
}
