import { inScope, type CameraScope } from '../../access/grant.ts'
import { schemaOfPart, type Schema } from '../../config/key.ts'
import { redacted, redactUrl } from '../../config/redact-url.ts'
import { ConfigSchema, type Config } from './config.ts'

/** The configuration for a role without admin rights: its cameras by name and title. */
export function configForViewer(scope: CameraScope, { cameras }: Config): object {
  const visible = [...cameras].filter(([name]) => inScope(scope, name))
  return {
    cameras: Object.fromEntries(visible.map(([name, { title, enabled }]) => [name, { title: title ?? name, enabled }])),
  }
}

/**
 * The whole configuration for an admin, without its secrets: only the text itself contains those. The schema says which
 * keys are secret.
 */
export const shownToAdmin = (config: Config): object => shown(config, ConfigSchema) as object

function shown(value: unknown, schema: Schema | undefined): unknown {
  if (value === null) return null
  if (schema?.secret) return withoutSecret(value, schema)
  if (Array.isArray(value)) return value.map((item: unknown) => shown(item, schema && schemaOfPart(schema, 0)))
  if (typeof value !== 'object') return value
  const entries: Iterable<[string, unknown]> =
    value instanceof Map ? (value as Map<string, unknown>) : Object.entries(value)
  return Object.fromEntries(
    [...entries].map(([key, inner]) => [key, shown(inner, schema && schemaOfPart(schema, key))]),
  )
}

/** Of a URL the host remains, of anything else nothing. */
function withoutSecret(value: unknown, { allowed, anyOf = [] }: Schema): string {
  const formats = [allowed, ...anyOf.map((each) => each.allowed)]
  const isUrl = formats.includes('camera-source') || formats.includes('database')
  return isUrl && typeof value === 'string' ? redactUrl(value) : redacted
}
