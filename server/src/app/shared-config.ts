import type { Transaction } from 'kysely'
import { configuredBy } from '../cameras/registry/camera-registry.ts'
import { keyFor } from '../cameras/registry/registry.ts'
import { openSharedRegistry } from '../cameras/registry/shared-registry.ts'
import { adoptVolume, followWithin, sharedRegistryRows } from '../cameras/registry/shared-registry-store.sql.ts'
import { configVersions, lockConfig } from '../cluster/config-versions.sql.ts'
import { leaseTimes } from '../cluster/lease.ts'
import { openConfigStore } from '../config/config-store.ts'
import { documentSource, type ConfigAnnouncements, type ConfigVersion } from '../config/source/document-source.ts'
import { isWhole, type ConfigFormat } from '../config/load.ts'
import { joinConfig } from '../config/source/machine-sections.ts'
import type { MachineFile } from '../config/source/machine-file.ts'
import { problemLines } from '../config/problem-collector.ts'
import type { Clock } from '../shared/time/clock.ts'
import { StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { Changes, Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { customRolesOf } from '../users/roles/custom-roles.ts'
import { requireContribution } from '../users/roles/missing-config.ts'
import type { AccountStore } from '../users/accounts/account-store.ts'
import type { Config } from './config/config.ts'

type Within = Transaction<Tables>

/**
 * Milliseconds. An instance that is cut off tries to read the document within one and a half seconds, and its streams end
 * within another one: together, no later than a lease.
 */
const currentFor = leaseTimes.valid - 3_000

export interface SharedConfigDeps {
  readonly store: Store
  readonly format: ConfigFormat<Config>
  readonly machine: MachineFile<Config>
  readonly accounts: Pick<AccountStore, 'roleCounts'>
  /** Id of the volume of this instance. */
  readonly volume: string
  readonly random: Random
  readonly runtime: (logger: string) => Runtime
}

/** The registry of a configuration, written in the transaction that writes the configuration. */
const registryWith =
  (random: Random, clock: Pick<Clock, 'now'>) =>
  (next: Config, within: Within): Promise<void> =>
    followWithin(within, configuredIn(next), registryFacts(random, clock))

const registryFacts = (random: Random, clock: Pick<Clock, 'now'>) => ({
  now: clock.now(),
  newKey: (name: string) => keyFor(name, random.bytes(6).toString('hex')),
})

const configuredIn = (config: Config) => configuredBy({ cameras: config.cameras, roles: customRolesOf(config) })

/** The versions of the configuration that instances share, each written together with the registry of its cameras. */
export function sharedConfigVersions(store: Store, random: Random, clock: Pick<Clock, 'now'>) {
  return { versions: configVersions(store, clock), alongside: registryWith(random, clock) }
}

/**
 * Opens the configuration that the instances on one PostgreSQL database share (NODE-1). The first instance contributes the
 * one of its config.yml; of the others' files, only the sections of the machine are used.
 *
 * @throws StartError if there is no valid configuration
 */
export async function openSharedConfig(deps: SharedConfigDeps) {
  const { store, format, machine, random, runtime } = deps
  const forConfig = runtime('service.config')
  const { clock, log } = forConfig
  const { versions, alongside } = sharedConfigVersions(store, random, clock)
  const documents: ConfigFormat<Config> = { ...format, load: (text) => format.loadDocument(text, machine.now()) }
  await prepareShared(deps, versions, documents, clock)

  const rows = sharedRegistryRows(store, lockConfig)
  const registry = await openSharedRegistry({ rows, log: runtime('service.cameras').log })
  const source = documentSource({
    versions,
    announcements: announcementsIn(store.changes),
    alongside,
    refresh: () => registry.reload(),
    refreshed: () => registry.configured(),
    currentFor,
    clock,
  })
  const configStore = await openConfigStore({ ...forConfig, format: documents, source })
  const warn = async () => warnOfUnused(machine, String((await source.latest()).bytes ?? ''), log)
  await warn()
  machine.watch(async () => {
    const isApplied = await configStore.reapply()
    if (isApplied) await warn()
    return isApplied
  })
  return { configStore, registry, versions: () => versions.list() }
}

/** Writes the first version and the shared registry, if there are none. Of several first starts, one does. */
async function prepareShared(
  { store, format, machine, accounts, volume, random }: SharedConfigDeps,
  versions: ReturnType<typeof configVersions>,
  documents: ConfigFormat<Config>,
  clock: Runtime['clock'],
): Promise<void> {
  const prepare = async (within: Within): Promise<void> => {
    await lockConfig(within)
    const newest = await versions.newestWithin(within)
    const version = newest ?? (await contribution({ format, machine, accounts }))
    if (!newest) await versions.addWithin(version, within)
    const { config } = documents.load(version.document)
    // Without a valid configuration no camera is known, so none is granted.
    if (config) await adoptVolume(within, volume, configuredIn(config), registryFacts(random, clock))
  }
  await store.transaction(prepare)
}

async function contribution({
  format,
  machine,
  accounts,
}: Pick<SharedConfigDeps, 'format' | 'machine' | 'accounts'>): Promise<Omit<ConfigVersion, 'at'>> {
  const { document, machine: own, shared } = machine.parts()
  const whole = format.load(joinConfig(document, own))
  if (!isWhole(whole)) {
    throw new StartError(`config.yml is not valid:\n${problemLines('config.yml', whole.problems).join('\n')}`)
  }
  if (shared.length === 0) await requireContribution(accounts)
  return { number: 1, document, author: 'config.yml' }
}

const announcementsIn = (changes: Changes): ConfigAnnouncements => ({
  isListening: () => changes.isListening(),
  subscribe: (listener) =>
    changes.subscribe((change) => {
      if (change === 'resync' || isOfConfig(change.message)) listener()
    }),
})

const isOfConfig = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'config'

function warnOfUnused(machine: MachineFile<Config>, active: string, log: Log): void {
  const { shared, document } = machine.parts()
  if (shared.length === 0 || document === active) return
  log.warn(
    { sections: shared, hint: '`gatehouse config import` replaces the shared configuration' },
    'config.yml has sections that are not used: the configuration is in the database',
  )
}
