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

/** The whole of `config.yml`, in the order in which it is explained. */
export const ConfigSchema = section(
  {
    networking: NetworkingConfig,
    tls: TlsConfig,
    http: HttpConfig,
    auth: AuthConfig,
    proxy: ProxyConfig,
    logout_url: nullable(Type.String(), {
      description:
        "Address of the UI's logout link: the same as `proxy.logout_url`, which counts where both are given.",
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
 * A configuration that holds together: every key is there, placeholders are filled, header names are in lower case,
 * `http.base_path` begins and ends with `/`. It holds secrets: hand it to no answer and no log.
 */
export type Config = Read<typeof ConfigSchema>

/**
 * Where the UI's logout link leads (PROXY-13); null for the service's own logout. Where users sign in either way, the
 * proxy's own address is for those whom the proxy signed in.
 */
export function logoutUrlOf({ auth, proxy, logout_url }: Config, isProxied: boolean): string | null {
  const isForLocalUser = auth.enabled && proxy.enabled && !isProxied
  return isForLocalUser ? logout_url : (proxy.logout_url ?? logout_url)
}
