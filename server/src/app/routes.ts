import { scopeOf } from '../access/grant.ts'
import { createAccounts } from './account-routes.ts'
import { roleSettings } from '../users/role-settings.ts'
import { roleRoutes } from '../users/roles.routes.ts'
import { nameKey } from '../users/user-name.ts'
import { cameraSettingsRoutes } from '../cameras/settings/camera-settings.routes.ts'
import { registryRoutes } from '../cameras/registry.routes.ts'
import { registryStore } from '../cameras/registry-store.sql.ts'
import { configRoutes } from '../system/config.routes.ts'
import { publishedSchema } from '../config/describe.ts'
import { configForViewer, shownToAdmin } from './config/config-for-viewer.ts'
import { ConfigSchema, logoutUrlOf } from './config/config.ts'
import { forwardAuthRoutes } from '../gate/forward-auth.ts'
import { createOpenApi } from '../http/openapi.ts'
import { referencePage } from '../http/reference-page.ts'
import { createRouteTable } from '../http/route-table.ts'
import type { Route } from '../http/route.ts'
import { tryAccessRoutes } from '../gate/access-preview.ts'
import { explainProxyHeaders } from '../auth/proxy/proxy-headers.ts'
import { systemRoutes } from '../system/system.routes.ts'
import type { Core } from './core.ts'
import { version } from './package.ts'
import type { Auth } from './auth.ts'
import type { Media } from './media.ts'

export interface RoutesDeps {
  readonly ground: Core
  readonly people: Auth
  readonly video: Media
  readonly stats: { readonly routes: readonly Route[] }
  /** PEM of the service's certificate authority; undefined if there is none. */
  readonly caCertificate: () => string | undefined
}

/** All routes, for both ports. */
export function allRoutes({ ground, people, video, stats, caCertificate }: RoutesDeps): readonly Route[] {
  const { clock, random, logs, configFile, config, roles, store, audit } = ground
  const { users, tokens, passwords, deletion, publish } = people
  const { cameras } = video
  const accounts = createAccounts({
    store: ground.accounts,
    people,
    tokens,
    passwords,
    settings: () => config().auth,
    roles,
    logoutUrl: (isProxied) => logoutUrlOf(config(), isProxied),
    proxy: () => config().proxy,
    cameraNames: cameras.names,
    cameraExists: cameras.exists,
    publish,
    audit,
    clock,
    random,
    log: logs.named('service.accounts'),
  })
  const routes: readonly Route[] = [
    ...accounts.routes,
    ...roleRoutes({
      roles,
      store: ground.accounts,
      customRoles: () => config().auth.roles,
      withheldFrom: ground.registry.withheldFrom,
      allCameras: () => cameras.names(scopeOf(roles().grantOf('admin'))),
      settings: roleSettings(configFile),
      deletion,
      audit,
    }),
    ...people.instances.routes,
    ...cameras.routes,
    ...registryRoutes({
      registry: ground.registry,
      store: registryStore(store, ground.volume.id),
      customRoles: () => config().auth.roles,
      roleCounts: ground.accounts.roleCounts,
      onConfirmed: () => publish({ kind: 'config' }),
    }),
    ...video.motion.routes,
    ...video.recordings.routes,
    ...video.review.routes,
    ...video.exports.routes,
    ...video.events.routes,
    ...configRoutes({
      configFile,
      shownToAdmin: () => shownToAdmin(configFile.written()),
      shownTo: (scope) => configForViewer(scope, config()),
      schema: () => publishedSchema(ConfigSchema),
      orphans: ground.accounts.orphans,
      audit,
    }),
    ...cameraSettingsRoutes({ configFile, audit }),
    ...audit.routes,
    ...tryAccessRoutes({
      roles,
      cameraNames: cameras.names,
      roleOfUser: async (name) => {
        const user = await users.byKey(nameKey(name) ?? '')
        return user && { user: user.name, role: user.role, why: givenByAdmin }
      },
      roleOfHeaders: (headers) =>
        explainProxyHeaders({ proxy: () => config().proxy, roles, signInHere: ground.started.auth.enabled }, headers),
    }),
    ...systemRoutes({
      version,
      healthy: store.healthy,
      recentLines: logs.recent,
      openApi: () => openApi(),
      referencePage: () => referencePage(routes, version),
      caCertificate,
    }),
    ...stats.routes,
    ...forwardAuthRoutes({
      find: (method, url) => find(method, url),
      cameraExists: cameras.exists,
      basePath: ground.started.http.base_path,
      refresh: tokens.refresh,
    }),
  ]
  const find = createRouteTable(routes)
  const openApi = createOpenApi(routes, version)
  return routes
}

/** The reason of a database user's role in the access preview. */
const givenByAdmin = { code: 'given-by-admin', message: 'The database: an admin gave it to this user.' } as const
