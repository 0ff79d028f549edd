import { inScope, type CameraScope } from '../../access/grant.ts'
import { hidden, redactUrl } from '../../config/redact-url.ts'
import type { Config } from './config.ts'

/** The configuration for a role without admin rights: its cameras by name and title. */
export function configForViewer(scope: CameraScope, { cameras }: Config): object {
  const visible = [...cameras].filter(([name]) => inScope(scope, name))
  return {
    cameras: Object.fromEntries(visible.map(([name, { title, enabled }]) => [name, { title: title ?? name, enabled }])),
  }
}

/** The whole configuration for an admin, without its secrets: only the raw file contains those. */
export function shownToAdmin(config: Config): object {
  return asJson({
    ...config,
    proxy: { ...config.proxy, auth_secret: config.proxy.auth_secret === null ? null : hidden },
    database: { url: redactUrl(config.database.url) },
    cameras: new Map(
      [...config.cameras].map(([name, camera]) => {
        const { source, motion } = camera
        const { detect_source: other } = motion
        const detect_source = other === null ? null : redactUrl(other)
        return [name, { ...camera, source: redactUrl(source), motion: { ...motion, detect_source } }]
      }),
    ),
  }) as object
}

function asJson(value: unknown): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...(value as Map<string, unknown>)].map(([name, inner]) => [name, asJson(inner)]))
  }
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]))
}
