import { isDeepStrictEqual } from 'node:util'
import { customRolesOf } from './users/roles/custom-roles.ts'
import { buildServers, openGateTls, servesUsers } from './app/servers.ts'
import { openCore, type Surroundings } from './app/core.ts'
import { createLifecycle, type Lifecycle } from './app/lifecycle.ts'
import { version } from './shared/package.ts'
import { openAuth } from './app/auth.ts'
import { openInnerConnections } from './app/inner.ts'
import { allRoutes } from './app/routes.ts'
import { warnAboutReadableFiles } from './app/readable-files.ts'
import { openMedia } from './app/media.ts'
import { addressToOpen, ConfigSchema, type Config } from './app/config/config.ts'
import { warnAboutEmergencyUser } from './auth/oidc/emergency-user.ts'
import { warnAboutProvider } from './auth/oidc/warn-about-provider.ts'
import { diffConfig } from './config/diff-config.ts'
import { logSecurityWarnings } from './app/config/security-warnings.ts'
import type { Route } from './http/route.ts'
import { byTheService, type AuditEntry } from './shared/audit/audit.ts'
import { statsOf } from './app/stats.ts'
import type { CameraRegistry, RegistrySettings } from './cameras/registry/camera-registry.ts'

export interface App {
  /** All routes. docs/access.md is generated from them. */
  readonly routes: readonly Route[]
  stop(): Promise<void>
  /** Logs an uncaught failure. */
  failed(error: unknown): void
}

/**
 * Starts the service. Dependencies are wired by hand in `app/`; this file defines the order of startup and of applying a
 * new configuration, and `app/lifecycle.ts` that of the end.
 *
 * @throws StartError if a problem must be fixed before the service can start.
 */
export async function startApp(surroundings: Surroundings): Promise<App> {
  const opened = createLifecycle()
  try {
    return await openApp(surroundings, opened)
  } catch (error) {
    // The first failure is the reason; those of closing would hide it.
    await opened.stop(() => undefined)
    throw error
  }
}

async function openApp(surroundings: Surroundings, opened: Lifecycle): Promise<App> {
  const core = await openCore(surroundings, opened)
  const inner = await openInnerConnections(core, opened)
  const auth = await openAuth(core, surroundings, opened)
  const media = await openMedia(core, auth, inner, surroundings, opened)
  const { logs, configStore, started, registry, store, audit } = core
  const { cameras, features } = media
  const log = logs.named('service')

  // First, so that nothing is granted or recorded by a camera name before its camera id is known.
  configStore.subscribe((next, previous) => {
    const followed = followRegistry(registry, next, previous)
    // Requests are already decided by the new configuration. A database that doesn't respond must not delay streams.
    auth.publish({ kind: 'config' })
    return followed
  })
  registry.subscribe(() => auth.publish({ kind: 'config' }))
  /** Immediate. A camera whose key has changed is another one. */
  const applyToFeatures = (config: Config): void => {
    for (const feature of features) feature.apply?.(config)
    core.cluster?.changed()
  }
  registry.onKeysChanged(() => applyToFeatures(configStore.current()))
  configStore.subscribe((next, previous) => {
    logs.setLevels(next.logger)
    applyToFeatures(next)
    audit.outputs.apply(next.audit.outputs)
    auth.publish({ kind: 'config' })
    void warnAboutEmergencyUser(next.auth.oidc, core.accounts, log)
    void warnAboutProvider(next.auth, auth.identityProvider.provider, log)
    // If the database is unavailable, the entry is queued.
    audit.commit(appliedEntry(previous, next)).catch(() => undefined)
  })

  const stats = opened.add('stats', statsOf(core, auth, media))
  const tls = await openGateTls(core)
  if (tls) opened.add('certificate', tls)
  const routes = allRoutes({ core, auth, media, inner, stats, caCertificate: () => tls?.caCertificate() })
  const servers = opened.add('servers', await buildServers({ core, auth, cameraExists: cameras.exists, tls, routes }))

  logSecurityWarnings(started, log)
  await warnAboutEmergencyUser(started.auth.oidc, core.accounts, log)
  await warnAboutReadableFiles(core.configDir, log)
  store.ready()
  await servers.open()
  const innerRoutes = features.flatMap((feature) => feature.innerRoutes ?? [])
  if (inner && started.node.address !== null) await inner.serve(started.node.address, innerRoutes)
  configStore.watch()
  for (const feature of features) feature.start?.()
  void warnAboutProvider(started.auth, auth.identityProvider.provider, log)
  log.info({ version, ...(servesUsers(core) && { url: addressToOpen(started) }) }, 'service ready')

  return {
    routes,
    async stop() {
      log.info({}, 'service stopping')
      await opened.stop((error, part) => log.error({ err: error, part }, 'failed to stop a part of the service'))
    },
    failed: (error) => log.error({ err: error }, 'uncaught exception'),
  }
}

/** What concerns neither cameras nor roles applies without the registry, which instances that share one read from the database. */
async function followRegistry(registry: CameraRegistry, next: Config, previous: Config): Promise<void> {
  const [settings, before] = [registrySettings(next), registrySettings(previous)]
  if (!isDeepStrictEqual(settings, before)) await registry.follow(settings)
}

const registrySettings = (config: Config): RegistrySettings => ({
  cameras: config.cameras,
  roles: customRolesOf(config),
})

function appliedEntry(previous: Config, next: Config): AuditEntry {
  const fields = diffConfig(ConfigSchema, previous, next).map(({ field }) => field)
  return { ...byTheService, action: 'config.apply', result: 'success', target: null, detail: fields.join(' ') }
}
