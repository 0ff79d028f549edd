import { scopeOf } from '../access/grant.ts'
import { accountRoutes } from './account-routes.ts'
import { cameraGroupRoutes } from '../cameras/camera-groups.routes.ts'
import { rolesWithGroup } from '../users/roles/custom-roles.ts'
import { createRoleEditor } from '../users/roles/role-editor.ts'
import { roleRoutes } from '../users/roles/roles.routes.ts'
import { cameraSettingsRoutes } from '../cameras/settings/camera-settings.routes.ts'
import { registryRoutes } from '../cameras/registry/registry.routes.ts'
import { configRoutes } from '../system/config.routes.ts'
import { publishedSchema } from '../config/schema/describe.ts'
import { configForViewer, shownToAdmin } from './config/config-for-viewer.ts'
import { machineSections } from '../config/source/machine-sections.ts'
import { ConfigSchema, DocumentSchema } from './config/config.ts'
import { instanceRoutes } from '../cluster/instances.routes.ts'
import { forwardAuthRoutes } from '../gate/forward-auth.ts'
import { createOpenApi } from '../http/openapi.ts'
import { referencePage } from '../http/reference-page.ts'
import { createRouteTable } from '../http/route-table.ts'
import type { Route } from '../http/route.ts'
import { previewedCallers } from '../auth/previewed-callers.ts'
import { accessPreviewRoutes } from '../gate/access-preview.ts'
import { apiTokenRoutes } from '../auth/api-token/api-token.routes.ts'
import { createPairings } from '../auth/screen/pairings.ts'
import { screenRoutes } from '../auth/screen/screen.routes.ts'
import { explainProxyHeaders } from '../auth/proxy/proxy-headers.ts'
import { systemRoutes } from '../system/system.routes.ts'
import type { Core } from './core.ts'
import { version } from '../shared/package.ts'
import type { Auth } from './auth.ts'
import type { InnerConnections } from './inner.ts'
import { linkRoutes } from './link-routes.ts'
import type { Media } from './media.ts'

export interface RoutesDeps {
  readonly core: Core
  readonly auth: Auth
  readonly media: Media
  readonly inner: InnerConnections | undefined
  readonly stats: { readonly routes: readonly Route[] }
  /** PEM of the service's certificate authority; undefined if there is none. */
  readonly caCertificate: () => string | undefined
}

/** All routes, for both ports. */
export function allRoutes({ core, auth, media, inner, stats, caCertificate }: RoutesDeps): readonly Route[] {
  const { logs, configStore, config, roles, store, audit, clock, random } = core
  const { tokens, deletion, credentialStores, publish } = auth
  const { cameras } = media
  const routes: readonly Route[] = [
    ...accountRoutes({ core, auth, media }),
    ...roleRoutes({
      roles,
      store: core.accounts,
      withheldFrom: core.registry.withheldFrom,
      allCameras: () => cameras.names(scopeOf(roles().grantOf('admin'))),
      settings: config,
      editor: createRoleEditor(configStore),
      deletion,
      audit,
    }),
    ...apiTokenRoutes({
      store: credentialStores.tokens,
      accounts: core.accounts,
      uses: auth.tokenUses,
      keys: core.registry,
      cameraNames: cameras.names,
      publish,
      clock,
      random,
    }),
    ...screenRoutes({
      store: credentialStores.screens,
      screens: auth.screens,
      pairings: createPairings({ store: credentialStores.screens, limit: auth.loginLimit, clock, random }),
      keys: core.registry,
      cameraExists: cameras.exists,
      publish,
      audit,
      clock,
      random,
    }),
    ...linkRoutes({ core, auth, media }),
    ...instanceRoutes({
      cluster: core.cluster,
      store: core.clusterRows,
      keys: core.registry,
      cameraExists: cameras.exists,
      toPull: core.toPull,
      isUnreachable: (instance) => inner?.reports.isAway(instance) ?? false,
    }),
    ...media.features.flatMap((feature) => feature.routes ?? []),
    ...cameraGroupRoutes({
      configStore,
      cameraExists: cameras.exists,
      rolesWith: (group) => rolesWithGroup(config(), group),
      audit,
    }),
    ...registryRoutes({
      registry: core.registry,
      store: core.stored,
      customRoles: core.customRoles,
      roleCounts: core.accounts.roleCounts,
      onConfirmed: () => publish({ kind: 'config' }),
    }),
    ...configRoutes({
      configStore,
      shownToAdmin: () => shownToAdmin(configStore.written()),
      shownTo: (scope) => configForViewer(scope, config()),
      schema: () => publishedSchema(core.isShared ? DocumentSchema : ConfigSchema),
      versions: core.versions,
      machineSections: core.isShared ? machineSections(ConfigSchema) : [],
      orphans: core.accounts.orphans,
      audit,
    }),
    ...cameraSettingsRoutes({ configStore, customRoles: core.customRoles, audit }),
    ...audit.routes,
    ...accessPreviewRoutes({
      roles,
      cameraNames: cameras.names,
      callers: previewedCallers(auth),
      callerOfHeaders: (headers) =>
        explainProxyHeaders({ proxy: () => config().proxy, roles, passwordSignIn: core.started.auth.enabled }, headers),
      clock,
    }),
    ...systemRoutes({
      version,
      healthy: store.healthy,
      isConfigOutdated: configStore.isOutdated,
      recentLines: logs.recent,
      openApi: () => openApi(),
      referencePage: () => referencePage(routes, version),
      caCertificate,
    }),
    ...stats.routes,
    ...forwardAuthRoutes({
      find: (method, url) => find(method, url),
      cameraExists: cameras.exists,
      basePath: core.started.http.base_path,
      refresh: tokens.refresh,
    }),
  ]
  const find = createRouteTable(routes)
  const openApi = createOpenApi(routes, version, () => config().auth.cookie_name)
  return routes
}
