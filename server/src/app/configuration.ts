import { join } from 'node:path'
import type { TrustedHeaders } from '../auth/config/trusted-headers.ts'
import { openCameraRegistry } from '../cameras/registry/camera-registry.ts'
import { registryStore } from '../cameras/registry/registry-store.sql.ts'
import type { ListedVersion } from '../cluster/config-versions.sql.ts'
import { openConfigStore, type ConfigStore } from '../config/config-store.ts'
import { credentialLookup } from '../config/placeholder.ts'
import { openFileSource } from '../config/source/file-source.ts'
import { openMachineFile } from '../config/source/machine-file.ts'
import { StartError } from '../shared/errors.ts'
import type { Logs } from '../shared/log.ts'
import { customRolesOf } from '../users/roles/custom-roles.ts'
import { requireConfigFile } from '../users/roles/missing-config.ts'
import type { Config } from './config/config.ts'
import { configFormat } from './config/load-config.ts'
import { openDatabase, type DatabaseDeps } from './database.ts'
import type { Opened } from './lifecycle.ts'
import { openSharedConfig } from './shared-config.ts'

export interface ConfigurationDeps extends DatabaseDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly trustedHeaders: TrustedHeaders
  readonly logs: Pick<Logs, 'setLevels' | 'named'>
}

/**
 * Opens the active configuration, the registry of its cameras, and the database that it names: with SQLite, the
 * configuration is all of config.yml; with PostgreSQL, it is the sections of the machine in config.yml, and the document
 * in the database that the instances share.
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
  const database = await openDatabase(machine.now().config.database.url, deps, opened)
  const { store, accounts, volume } = database
  const shared = { store, format, machine, accounts, volume: volume.id, random, runtime }
  const { configStore, registry, versions } = await openSharedConfig(shared)
  deps.logs.setLevels(configStore.current().logger)
  return { database, configStore, registry, versions, isShared: true }
}

/** The same for a configuration that is all in config.yml. */
async function openOwnConfig(configStore: ConfigStore<Config>, deps: ConfigurationDeps, opened: Opened) {
  const started = configStore.current()
  if (started.database.url !== 'sqlite') throw undivided()
  deps.logs.setLevels(started.logger)
  const database = await openDatabase(started.database.url, deps, opened)
  const { store, accounts, volume } = database
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
  return { database, configStore, registry, versions: noVersions, isShared: false }
}

const noVersions = (): Promise<ListedVersion[]> => Promise.resolve([])

const undivided = () =>
  new StartError(
    'config.yml: the sections of the machine (networking, tls, database, node) and the others refer to each other with aliases (*…). With PostgreSQL, the others are in the database: write out the values.',
  )
