import { join } from 'node:path'
import { openCameraRegistry } from '../cameras/registry/camera-registry.ts'
import { registryStore, storedData } from '../cameras/registry/registry-store.sql.ts'
import { openConfigStore, type ConfigStore } from '../config/config-store.ts'
import { openFileSource } from '../config/source/file-source.ts'
import { openMachineFile } from '../config/source/machine-file.ts'
import { clusterStore } from '../cluster/cluster-store.sql.ts'
import type { ListedVersion } from '../cluster/config-versions.sql.ts'
import { awaitOtherRuns } from '../cluster/other-runs.ts'
import { credentialLookup } from '../config/placeholder.ts'
import type { TrustedHeaders } from '../auth/config/trusted-headers.ts'
import { openVolume } from '../recordings/storage/volume.ts'
import { StartError } from '../shared/errors.ts'
import type { Logs } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import { openStore } from '../store/open.ts'
import { accountStore } from '../users/accounts/account-store.sql.ts'
import { customRolesOf } from '../users/roles/custom-roles.ts'
import { requireConfigFile } from '../users/roles/missing-config.ts'
import type { Config } from './config/config.ts'
import { configFormat } from './config/load-config.ts'
import { stableInstanceId } from './instance-id.ts'
import { openSharedConfig } from './shared-config.ts'
import type { Opened } from './lifecycle.ts'

export interface ConfigurationDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly configDir: string
  readonly mediaDir: string
  readonly trustedHeaders: TrustedHeaders
  readonly logs: Pick<Logs, 'setLevels' | 'named'>
  readonly runtime: (logger: string) => Runtime
  readonly random: Random
}

/**
 * Opens the database and the configuration: with SQLite all of config.yml, with PostgreSQL its sections of the machine and
 * the document that the instances share.
 *
 * @throws StartError if a problem must be fixed before the service can start.
 */
export async function openConfiguration(deps: ConfigurationDeps, opened: Opened) {
  const { env, configDir, mediaDir, trustedHeaders, random, runtime } = deps
  const format = configFormat({ mediaDir, trustedHeaders, lookup: credentialLookup(env) })
  const atConfig = { format, file: join(configDir, 'config.yml'), ...runtime('service.config') }
  const machine = await openMachineFile({ ...atConfig, decidedBy: ['database', 'url'] })
  // A placeholder can stand for SQLite too.
  if (!machine || machine.now().config.database.url === 'sqlite') {
    const configStore = await openConfigStore({ ...atConfig, source: await openFileSource<Config>(atConfig) })
    return openOwnConfig(configStore, deps, opened)
  }
  opened.add('sections of the machine', machine)
  const base = await openDatabase(machine.now().config, deps, opened)
  const { store, accounts, volume } = base
  const shared = { store, format, machine, accounts, volume: volume.id, random, runtime }
  const { configStore, registry, versions } = await openSharedConfig(shared)
  deps.logs.setLevels(configStore.current().logger)
  return { ...base, configStore, registry, stored: storedData(store), versions, isShared: true }
}

/** Opens the database for a configuration that is all in config.yml. */
async function openOwnConfig(configStore: ConfigStore<Config>, deps: ConfigurationDeps, opened: Opened) {
  const started = configStore.current()
  if (started.database.url !== 'sqlite') throw undivided()
  deps.logs.setLevels(started.logger)
  const base = await openDatabase(started, deps, opened)
  const { store, accounts, volume } = base
  await requireConfigFile(configStore.atStart, accounts)
  if (configStore.atStart === 'missing') await configStore.writeFirst()
  const registry = opened.add(
    'camera registry',
    await openCameraRegistry({
      store: registryStore(store, volume.id),
      settings: { cameras: started.cameras, roles: customRolesOf(started) },
      ...deps.runtime('service.cameras'),
      random: deps.random,
    }),
  )
  const stored = storedData(store)
  return { ...base, configStore, registry, stored, versions: noVersions, isShared: false }
}

const noVersions = (): Promise<ListedVersion[]> => Promise.resolve([])

async function openDatabase(
  { database }: Pick<Config, 'database'>,
  { configDir, mediaDir, logs, runtime, random }: ConfigurationDeps,
  opened: Opened,
) {
  const store = await openStore({ url: database.url, configDir, ...runtime('service.store') })
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

const undivided = () =>
  new StartError(
    'config.yml: the sections of the machine (networking, tls, database, node) and the others refer to each other with aliases (*…). With PostgreSQL, the others are in the database: write out the values.',
  )
