import pLimit from 'p-limit'
import type { Runtime } from '../../shared/runtime.ts'
import type { ApiTokenStore, ApiTokenUse } from './api-token-store.ts'

/** When tokens were last used, written once a minute (KEY-5). */
export interface ApiTokenUses {
  note(use: ApiTokenUse): void
  /** A use that isn't written yet. */
  unwritten(id: string): ApiTokenUse | undefined
  stop(): Promise<void>
}

export interface ApiTokenUsesDeps extends Runtime {
  readonly store: Pick<ApiTokenStore, 'noteUses'>
}

const minute = 60_000

export function createApiTokenUses({ store, clock, log }: ApiTokenUsesDeps): ApiTokenUses {
  const unwritten = new Map<string, ApiTokenUse>()
  const serialized = pLimit(1)
  const flush = () =>
    serialized(async () => {
      const batch = [...unwritten.values()]
      if (batch.length === 0) return
      try {
        await store.noteUses(batch)
      } catch (cause) {
        log.warn({ err: cause, tokens: batch.length }, 'failed to save when tokens were used; retrying')
        return
      }
      for (const use of batch) if (unwritten.get(use.id) === use) unwritten.delete(use.id)
    })
  const stopWriting = clock.every(minute, () => void flush())

  return {
    note: (use) => void unwritten.set(use.id, use),
    unwritten: (id) => unwritten.get(id),
    async stop() {
      stopWriting()
      await flush()
    },
  }
}
