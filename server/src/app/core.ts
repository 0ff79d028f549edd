import { readCustomRoles } from '../users/roles/custom-roles.ts'
import { openInstances } from './instances.ts'
import { machineTimeZone } from './config/time-zone.ts'
import { resolve } from 'node:path'
import { openConfiguration } from './configuration.ts'
import { storedData } from '../cameras/registry/registry-store.sql.ts'
import { createAudit } from '../audit/audit.ts'
import { settleRestore } from '../backup/staged.ts'
import { activeRoles, roleTimeIn } from '../users/roles/active-roles.ts'
import { findJwtSecret } from '../auth/token/jwt-secret.ts'
import { readTrustedHeaders } from '../auth/config/trusted-headers.ts'
import type { StartMuxer } from '../exports/muxing/muxing-thread.ts'
import type { PasswordsDeps } from '../auth/password/passwords.ts'
import type { Clock, Timers } from '../shared/time/clock.ts'
import { createClockJumpGuard } from '../shared/time/clock-jump-guard.ts'
import { ensureDirectory } from '../shared/files/ensure-directory.ts'
import { createLogs } from '../shared/log.ts'
import { systemRandom } from '../shared/random.ts'
import type { Opened } from './lifecycle.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type Output = NodeJS.WritableStream & { isTTY?: boolean }

/** What the process, or a test, passes to the service. */
export interface Surroundings {
  readonly env: Env
  /** Where the log goes. */
  readonly output: Output
  readonly clock: Clock & Timers
  readonly createHashing: PasswordsDeps['createHashing']
  readonly startMuxer: StartMuxer
}

export type Core = Awaited<ReturnType<typeof openCore>>

/** The folders of the configuration and of the recordings. */
async function openFolders(env: Env) {
  const configDir = resolve(env['CONFIG_DIR'] || 'config')
  const mediaDir = resolve(env['MEDIA_DIR'] || 'media')
  await Promise.all([configDir, mediaDir].map(ensureDirectory))
  // Before anything is read: an interrupted restore is finished or undone.
  await settleRestore(configDir)
  return { configDir, mediaDir }
}

/**
 * Opens what all other parts need: configuration, database, JWT secret, audit log, and the instances that share the
 * database.
 *
 * @throws StartError if a problem must be fixed before the service can start.
 */
export async function openCore(surroundings: Surroundings, opened: Opened) {
  const base = await openBase(surroundings, opened)
  return { ...base, ...(await openInstances(base, opened)) }
}

async function openBase({ env, output, clock }: Surroundings, opened: Opened) {
  const random = systemRandom
  const logs = await createLogs(output)
  /** What a part gets that acts on its own, with its logger. */
  const runtime = (logger: string) => ({ clock, random, log: logs.named(logger) })
  const { configDir, mediaDir } = await openFolders(env)

  const trustedHeaders = await readTrustedHeaders(env)
  const atFolders = { env, configDir, mediaDir, trustedHeaders, logs, runtime, random }
  const { database, configStore, registry, versions, isShared } = await openConfiguration(atFolders, opened)
  const { store, clusterRows, instance, replaces, accounts, volume } = database
  opened.add('configuration', configStore)
  const config = () => configStore.current()
  const started = config()
  const { secret } = findJwtSecret({ env, configDir, random })
  // Shared, so that a clock jump is logged once.
  const isClockTrusted = createClockJumpGuard(clock, logs.named('service'))
  const audit = opened.add(
    'audit log',
    createAudit({
      store,
      cameraKeys: registry,
      settings: () => config().audit,
      isClockTrusted,
      configDir,
      ...runtime('service.audit'),
    }),
  )

  const customRoles = readCustomRoles(config)
  // Read once: it takes longer than handling a request.
  const ownTimeZone = machineTimeZone()
  return {
    clock,
    random,
    logs,
    runtime,
    configDir,
    mediaDir,
    trustedHeaders,
    configStore,
    /** The active configuration. */
    config,
    /** The configuration at startup, for settings that need a restart. */
    started,
    /** The versions of the configuration that instances share; none if it is in a file. */
    versions,
    /** Whether instances share the configuration. */
    isShared,
    stored: storedData(store),
    /** Id of this instance. */
    instance,
    /** The run of this instance before this one; null: none that is known. */
    replaces,
    /** The volume of the recordings. */
    volume,
    registry,
    /** The custom roles of the active configuration. */
    customRoles,
    roles: activeRoles(
      customRoles,
      registry,
      roleTimeIn(() => config().time_zone ?? ownTimeZone, clock),
    ),
    store,
    clusterRows,
    accounts,
    secret,
    isClockTrusted,
    audit,
  }
}
