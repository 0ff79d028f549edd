import type { Log } from '../shared/log.ts'
import type { Store } from '../store/store.ts'

/** Has the outputs write what the command `gatehouse` entered, in whatever process. What fails is done at the next change or start. */
export async function claimEntries(store: Pick<Store, 'transaction' | 'audit'>, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    await store.transaction((within) => store.audit.claim(within))
  } catch (err) {
    log.warn({ err }, 'failed to number audit entries of the command')
  }
}
