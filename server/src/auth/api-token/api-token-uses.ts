import pLimit from 'p-limit'
import type { Runtime } from '../../shared/runtime.ts'
import type { ApiTokenStore, ApiTokenUse } from './api-token-store.ts'

/** When tokens were last used, written once a minute (KEY-5). */
export interface ApiTokenUses {
  /** @param at Unix milliseconds */
  note(id: string, at: number, address: string): void
  /** A use that isn't written yet. */
  unwritten(id: string): ApiTokenUse | undefined
  stop(): Promise<void>
}

export interface ApiTokenUsesDeps extends Runtime {
  readonly store: Pick<ApiTokenStore, 'noteUses'>
}

const minute = 60_000

type LatestUse = { -readonly [Key in keyof ApiTokenUse]: ApiTokenUse[Key] }

export function createApiTokenUses({ store, clock, log }: ApiTokenUsesDeps): ApiTokenUses {
  // Changed in place: an object for each request would outlive the requests.
  const unwritten = new Map<string, LatestUse>()
  const serialized = pLimit(1)
  const flush = () =>
    serialized(async () => {
      const batch = Array.from(unwritten.values(), (use) => ({ ...use }))
      if (batch.length === 0) return
      try {
        await store.noteUses(batch)
      } catch (cause) {
        log.warn({ err: cause, count: batch.length }, 'failed to save when tokens were used; retrying')
        return
      }
      for (const { id, at, address } of batch) {
        const latest = unwritten.get(id)
        if (latest?.at === at && latest.address === address) unwritten.delete(id)
      }
    })
  const stopWriting = clock.every(minute, () => void flush())

  return {
    note(id, at, address) {
      const latest = unwritten.get(id)
      if (!latest) return void unwritten.set(id, { id, at, address })
      latest.at = at
      latest.address = address
    },
    unwritten: (id) => unwritten.get(id),
    async stop() {
      stopWriting()
      await flush()
    },
  }
}
