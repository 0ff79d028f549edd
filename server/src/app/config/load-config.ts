import type { TrustedHeaders } from '../../auth/config/trusted-headers.ts'
import { checkAuditOutputs } from '../../audit/output/output.config.ts'
import { checkAuth } from '../../auth/config/auth.config.ts'
import { checkProxy } from '../../auth/config/proxy.config.ts'
import { keepProxyGuard } from '../../auth/proxy/proxy-guard.ts'
import { checkCameraGroups } from '../../cameras/camera-groups.config.ts'
import { checkCameras, demoCameras, type CamerasConfig } from '../../cameras/cameras.config.ts'
import { wrongText } from '../../config/schema/describe-constraint.ts'
import {
  loadText,
  type ConfigFormat,
  type ConfigSections,
  type FillPlaceholders,
  type Loaded,
} from '../../config/load.ts'
import type { Lookup } from '../../config/placeholder.ts'
import type { SectionReport } from '../../config/problem-collector.ts'
import { notLink } from '../../config/schema/web-link.ts'
import { checkHttp, wholeBasePath } from '../../http/http.config.ts'
import { checkNetworking } from '../../http/networking.config.ts'
import { checkNode } from '../../cluster/node.config.ts'
import { checkStorage } from '../../object-storage/storage.config.ts'
import { checkDisplayNames, withShownNames } from './display-names.ts'
import { checkDatabase } from '../../store/database.config.ts'
import { checkTls } from '../../tls/tls.config.ts'
import { ConfigSchema, DocumentSchema, machineSectionsOf, type Config } from './config.ts'
import { checkTimeZone } from './time-zone.ts'
import type { ConfigProblem } from './problem-codes.ts'
import { configProblem } from '../../config/problem-codes.ts'

/** What a configuration is checked against, besides its own text. */
export interface LoadDeps {
  /** Absolute. */
  readonly mediaDir: string
  readonly trustedHeaders: TrustedHeaders
  readonly lookup: Lookup
}

/** The format of `config.yml`. */
export const configFormat = (deps: LoadDeps): ConfigFormat<Config> => ({
  schema: ConfigSchema,
  load: (text) => loadConfig(text, deps),
  loadDocument: (text, { written }) => loadConfig(text, deps, written),
  keep: keepProxyGuard,
})

/** @param machine has the sections of the machine, if the text is a document that has none */
export function loadConfig(text: string, deps: LoadDeps, machine?: Config): Loaded<Config> {
  const sections: ConfigSections<typeof ConfigSchema> = {
    schema: ConfigSchema,
    ...(machine && { textSchema: DocumentSchema }),
    // `cameras: {}` means no cameras; a missing or empty section means the demo cameras.
    complete: (read, hasTable) => ({
      ...read,
      ...(machine && machineSectionsOf(machine)),
      cameras: hasTable('cameras') ? read.cameras : demoCameras,
    }),
    fill: fillPlaceholders,
    check: (config, report) => checkAll(config, deps, report),
    normalize: (filled) => withShownNames(normalize(filled)),
  }
  return loadText(text, sections, deps.lookup)
}

function fillPlaceholders(config: Config, fill: FillPlaceholders): Config {
  const cameras: CamerasConfig = new Map(
    [...config.cameras].map(([name, camera]) => {
      const { source, motion } = camera
      const { detect_source: other } = motion
      const detect_source =
        other === null ? null : fill(other, 'camera-source', ['cameras', name, 'motion', 'detect_source'])
      return [
        name,
        {
          ...camera,
          source: fill(source, 'camera-source', ['cameras', name, 'source']),
          motion: { ...motion, detect_source },
        },
      ]
    }),
  )
  const secret = config.proxy.auth_secret
  const { oidc } = config.auth
  const clientSecret = oidc.client_secret
  const { s3 } = config.storage
  const s3Secret = s3.secret_access_key
  return {
    ...config,
    auth: {
      ...config.auth,
      oidc: {
        ...oidc,
        client_secret:
          clientSecret === null
            ? null
            : fill(clientSecret, 'auth.oidc.client_secret', ['auth', 'oidc', 'client_secret']),
      },
    },
    proxy: {
      ...config.proxy,
      auth_secret: secret === null ? null : fill(secret, 'proxy.auth_secret', ['proxy', 'auth_secret']),
    },
    storage: {
      ...config.storage,
      s3: {
        ...s3,
        secret_access_key:
          s3Secret === null
            ? null
            : fill(s3Secret, 'storage.s3.secret_access_key', ['storage', 's3', 'secret_access_key']),
      },
    },
    database: { url: fill(config.database.url, 'database.url', ['database', 'url']) },
    cameras,
  }
}

const lower = (name: string | null): string | null => name?.toLowerCase() ?? null

/** Normalizes values that have several spellings. */
function normalize(config: Config): Config {
  const { user, display_name, role, role_map } = config.proxy.header_map
  return {
    ...config,
    http: {
      ...config.http,
      base_path: wholeBasePath(config.http.base_path),
      allowed_origins: config.http.allowed_origins.map((origin) => origin.toLowerCase()),
    },
    proxy: {
      ...config.proxy,
      header_map: { user: lower(user), display_name: lower(display_name), role: lower(role), role_map },
    },
  }
}

function checkAll(config: Config, { mediaDir, trustedHeaders }: LoadDeps, report: SectionReport<ConfigProblem>): void {
  const { problem } = report
  checkNetworking(config.networking, report)
  checkTls(config.tls, report)
  checkHttp(config.http, report)
  checkTimeZone(config.time_zone, report)
  checkCameraGroups(config.camera_groups, config.cameras, report)
  checkAuth(config.auth, config, report)
  checkProxy(config.proxy, config.auth, trustedHeaders, report)
  checkDatabase(config.database, report)
  checkNode(config.node, report)
  checkStorage(config.storage, report)
  checkCameras(config.cameras, mediaDir, report)
  checkAuditOutputs(config.audit.outputs, report)
  checkDisplayNames(config, report)
  if (config.logout_url !== null && notLink(config.logout_url)) {
    problem(['logout_url'], wrongText(config.logout_url, ConfigSchema.properties.logout_url))
  }
  if (config.auth.cookie_name.startsWith('__Host-') && config.http.base_path !== '/') {
    problem(['auth', 'cookie_name'], configProblem('host-prefix'))
  }
}
