import { Type } from 'typebox'
import { AuditConfig } from '../../audit/audit.config.ts'
import { AuthConfig } from '../../auth/config/auth.config.ts'
import { CameraGroupsConfig } from '../../cameras/camera-groups.config.ts'
import { NodeConfig } from '../../cluster/node.config.ts'
import { CamerasConfig } from '../../cameras/cameras.config.ts'
import { DatabaseConfig } from '../../store/database.config.ts'
import { ExportConfig } from '../../exports/export.config.ts'
import { HttpConfig } from '../../http/http.config.ts'
import { joinConfig, splitConfig, wrongSection, type DividedConfig } from '../../config/source/machine-sections.ts'
import { nullableKey, section, type ConfigOf } from '../../config/key.ts'
import { LoggerConfig } from '../../system/logger.config.ts'
import { StorageConfig } from '../../object-storage/storage.config.ts'
import { NetworkingConfig } from '../../http/networking.config.ts'
import { ProxyConfig } from '../../auth/config/proxy.config.ts'
import { RecordingConfig } from '../../recordings/recording.config.ts'
import { ReviewConfig } from '../../review/review.config.ts'
import { ShareConfig } from '../../auth/config/share.config.ts'
import { TlsConfig } from '../../tls/tls.config.ts'

/** All sections of `config.yml`, in the order of the documentation. */
export const ConfigSchema = section(
  {
    networking: NetworkingConfig,
    tls: TlsConfig,
    http: HttpConfig,
    auth: AuthConfig,
    proxy: ProxyConfig,
    logout_url: nullableKey(Type.String(), {
      description: "URL of the UI's sign-out link: the same as `proxy.logout_url`, which wins if both are set.",
      allowed: 'link',
      examples: ['https://sso.example/logout'],
    }),
    time_zone: nullableKey(Type.String(), {
      description: 'Time zone of the `hours` of roles, an IANA name. Default: that of the machine.',
      allowed: 'time-zone',
      examples: ['Europe/Berlin'],
    }),
    database: DatabaseConfig,
    node: NodeConfig,
    recording: RecordingConfig,
    storage: StorageConfig,
    export: ExportConfig,
    share: ShareConfig,
    review: ReviewConfig,
    logger: LoggerConfig,
    audit: AuditConfig,
    camera_groups: CameraGroupsConfig,
    cameras: CamerasConfig,
  },
  { description: 'The configuration of Gatehouse.' },
)

/**
 * A valid configuration: every key is present, placeholders are resolved, header names are lower-case,
 * `http.base_path` begins and ends with `/`. Contains secrets: never put it in a response or a log.
 */
export type Config = ConfigOf<typeof ConfigSchema>

/** The sections of a configuration that concern only the machine. */
export const machineSectionsOf = ({ networking, tls, database, node }: Config) => ({ networking, tls, database, node })

const { networking: _networking, tls: _tls, database: _database, node: _node, ...shared } = ConfigSchema.properties

/** The document that several instances share: all sections but those of a machine. */
export const DocumentSchema = section(shared, {
  description: 'The configuration that several instances of Gatehouse share.',
  wrongName: wrongSection(ConfigSchema),
})

/** Divides the text of a config.yml, and joins the parts. */
export const configTexts = {
  split: (text: string): DividedConfig | undefined => splitConfig(text, ConfigSchema),
  /** A complete config.yml of a document and the sections of the machine in a config.yml. */
  join: (document: string, file: string): string =>
    joinConfig(document, splitConfig(file, ConfigSchema)?.machine ?? ''),
}

/**
 * URL of the UI's sign-out link (PROXY-13); null for the service's own sign-out. If both sign-in methods are enabled,
 * the proxy's URL applies only to users that the proxy signed in.
 */
export function logoutUrlOf({ auth, proxy, logout_url }: Config, isProxied: boolean): string | null {
  const isForLocalUser = auth.enabled && proxy.enabled && !isProxied
  return isForLocalUser ? logout_url : (proxy.logout_url ?? logout_url)
}

/** The URL to open in a browser on the same machine. */
export function addressToOpen({ tls, networking, http }: Config): string {
  const { port } = networking.gate
  const usual = tls.enabled ? 443 : 80
  return `${tls.enabled ? 'https' : 'http'}://localhost${port === usual ? '' : `:${port}`}${http.base_path}`
}
