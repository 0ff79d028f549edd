import { clusterStore } from '../cluster/cluster-store.sql.ts'
import { awaitOtherRuns } from '../cluster/other-runs.ts'
import { openVolume } from '../recordings/storage/volume.ts'
import type { Logs } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import { openStore } from '../store/open.ts'
import { accountStore } from '../users/accounts/account-store.sql.ts'
import { stableInstanceId } from './instance-id.ts'
import type { Opened } from './lifecycle.ts'

export interface DatabaseDeps {
  readonly configDir: string
  readonly mediaDir: string
  readonly logs: Pick<Logs, 'named'>
  readonly runtime: (logger: string) => Runtime
  readonly random: Random
}

/** Opens the database, and finds who uses it: this instance, with the volume of its recordings. */
export async function openDatabase(
  url: string,
  { configDir, mediaDir, logs, runtime, random }: DatabaseDeps,
  opened: Opened,
) {
  const store = await openStore({ url, configDir, ...runtime('service.store') })
  opened.add('database', { stop: store.close })
  const instance = await stableInstanceId({ configDir, engine: store.engine, random, log: logs.named('service.audit') })
  const volume = await openVolume(mediaDir, random)
  const clusterRows = clusterStore(store)
  const forRuns = { store: clusterRows, instance, volume: volume.id, ...runtime('service.instances') }
  const replaces = store.engine === 'postgres' ? await awaitOtherRuns(forRuns) : null
  // Before anything is audited: only entries with a number go to the outputs.
  await store.transaction((within) => store.audit.start(instance, within))
  return { store, clusterRows, instance, replaces, accounts: accountStore(store), volume }
}
