import { Type } from 'typebox'
import { AuditConfig } from './audit.config.ts'
import { AuthConfig } from './auth.config.ts'
import { CamerasConfig } from './cameras.config.ts'
import { DatabaseConfig } from './database.config.ts'
import { ExportConfig } from './export.config.ts'
import { HttpConfig } from './http.config.ts'
import { nullable, section, type Read } from './key.ts'
import { LoggerConfig } from './logger.config.ts'
import { NetworkingConfig } from './networking.config.ts'
import { ProxyConfig } from './proxy.config.ts'
import { RecordingConfig } from './recording.config.ts'
import { ReviewConfig } from './review.config.ts'
import { TlsConfig } from './tls.config.ts'
import { linkForm } from './web-link.ts'

/** All sections of `config.yml`, in the order of the documentation. */
export const ConfigSchema = section(
  {
    networking: NetworkingConfig,
    tls: TlsConfig,
    http: HttpConfig,
    auth: AuthConfig,
    proxy: ProxyConfig,
    logout_url: nullable(Type.String(), {
      description: "URL of the UI's sign-out link: the same as `proxy.logout_url`, which wins if both are set.",
      allowed: linkForm,
      examples: ['https://sso.example/logout'],
    }),
    database: DatabaseConfig,
    recording: RecordingConfig,
    export: ExportConfig,
    review: ReviewConfig,
    logger: LoggerConfig,
    audit: AuditConfig,
    cameras: CamerasConfig,
  },
  { description: 'The configuration of Gatehouse.' },
)

/**
 * A valid configuration: every key is present, placeholders are resolved, header names are lower-case,
 * `http.base_path` begins and ends with `/`. Contains secrets: never put it in a response or a log.
 */
export type Config = Read<typeof ConfigSchema>

/**
 * URL of the UI's sign-out link (PROXY-13); null for the service's own sign-out. If both sign-in methods are enabled,
 * the proxy's URL applies only to users that the proxy signed in.
 */
export function logoutUrlOf({ auth, proxy, logout_url }: Config, isProxied: boolean): string | null {
  const isForLocalUser = auth.enabled && proxy.enabled && !isProxied
  return isForLocalUser ? logout_url : (proxy.logout_url ?? logout_url)
}
