import { scopeOf } from '../access/grant.ts'
import { providerName } from '../auth/config/oidc.config.ts'
import { version } from '../shared/package.ts'
import { databaseSize } from '../store/database-size.ts'
import { createStats, type StatsRoutes } from '../system/stats.ts'
import type { Auth } from './auth.ts'
import type { Core } from './core.ts'
import type { Media } from './media.ts'

/** Figures of the whole service. */
export const statsOf = (
  { config, roles, store, audit, mediaDir, clock }: Core,
  { openStreams, identityProvider }: Auth,
  { cameras, objects }: Media,
): StatsRoutes =>
  createStats({
    version,
    cameras: cameras.figures,
    everyCamera: () => cameras.figures(scopeOf(roles().grantOf('admin'))),
    openStreams: () => openStreams.count,
    database: { engine: store.engine, healthy: store.healthy, size: () => databaseSize(store) },
    objects,
    auditOutputs: audit.outputs.status,
    identityProvider() {
      const { enabled, oidc } = config().auth
      const name = providerName(oidc)
      return enabled && name !== null ? { name, ...identityProvider.provider.status() } : null
    },
    mediaDir,
    clock,
  })
