import { isAlias } from 'yaml'
import type { Problem } from '../shared/errors.ts'
import { checkAuth } from './auth.config.ts'
import { checkCameras, demoCameras, type CamerasConfig } from './cameras.config.ts'
import { ConfigSchema, type Config } from './config.ts'
import { checkDatabase } from './database.config.ts'
import { checkHttp, wholeBasePath } from './http.config.ts'
import { checkNetworking } from './networking.config.ts'
import { resolvePlaceholders, type FilledKey, type Lookup } from './placeholder.ts'
import type { ConfigProblem } from './problem-codes.ts'
import { checkProxy, type TrustedHeaders } from './proxy.config.ts'
import { defaultOf, validate } from './read.ts'
import { createReport, quoted, shownText, type Path, type ProblemCollector } from './problem-collector.ts'
import { checkTls } from './tls.config.ts'
import { notLink } from './web-link.ts'
import { wrongText } from './describe-constraint.ts'
import { pairNamed, readYaml, isTable, type YamlText } from './yaml-text.ts'

/** What a configuration is checked against, besides its own text. */
export interface LoadDeps {
  /** Absolute. */
  readonly mediaDir: string
  readonly trustedHeaders: TrustedHeaders
  readonly lookup: Lookup
}

/** A parsed and checked configuration text. */
export interface Loaded {
  /** undefined if there are problems. */
  readonly config: Config | undefined
  /** The same configuration with unresolved placeholders. */
  readonly written: Config | undefined
  /** All problems, in the order of the file. */
  readonly problems: readonly Problem[]
  /** Allowed values that are probably a mistake. */
  readonly warnings: readonly Problem[]
  /** The text contains only comments: every key has its default. */
  readonly blank: boolean
}

/** A text without problems. */
export type ValidConfig = Loaded & { readonly config: Config; readonly written: Config }
export const isWhole = (loaded: Loaded): loaded is ValidConfig =>
  loaded.config !== undefined && loaded.written !== undefined

export function loadConfig(text: string, deps: LoadDeps): Loaded {
  const report = createReport()
  const yaml = readYaml(text, report)
  if (!yaml) return { config: undefined, written: undefined, problems: report.problems(), warnings: [], blank: false }
  const read = yaml.blank ? (defaultOf(ConfigSchema) as Config) : validate(ConfigSchema, yaml, report)
  const written = { ...read, cameras: namesCameras(yaml) ? read.cameras : demoCameras }
  const filled = filledIn(written, deps.lookup, report)
  checkAll(filled, deps, report)
  const problems = report.problems()
  const whole = problems.length === 0
  return {
    config: whole ? plainly(filled) : undefined,
    written: whole ? written : undefined,
    problems,
    warnings: report.warnings(),
    blank: yaml.blank,
  }
}

/** Loads a configuration from the bytes of a file; a missing file counts as an empty text. */
export function loadBytes(bytes: Buffer | undefined, deps: LoadDeps): Loaded {
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? Buffer.alloc(0))
  } catch {
    const flaw: ConfigProblem = { code: 'not-utf8', message: 'the file is not UTF-8 text' }
    const problems = [{ field: '', ...flaw, line: 1, column: 1 }]
    return { config: undefined, written: undefined, problems, warnings: [], blank: false }
  }
  return loadConfig(text, deps)
}

/** `cameras: {}` means no cameras; a missing or empty section means the demo cameras. */
function namesCameras({ document, targetOf }: YamlText): boolean {
  if (!isTable(document.contents)) return false
  const given = pairNamed(document.contents, 'cameras')?.value
  return isTable(isAlias(given) ? targetOf(given) : given)
}

function filledIn(config: Config, lookup: Lookup, { problem }: ProblemCollector): Config {
  const fill = (text: string, key: FilledKey, path: Path): string => {
    const filled = resolvePlaceholders(text, key, lookup)
    if ('text' in filled) return filled.text
    problem(path, filled.problem)
    return text
  }
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
  return {
    ...config,
    proxy: {
      ...config.proxy,
      auth_secret: secret === null ? null : fill(secret, 'proxy.auth_secret', ['proxy', 'auth_secret']),
    },
    database: { url: fill(config.database.url, 'database.url', ['database', 'url']) },
    cameras,
  }
}

/** Normalizes values that have several spellings. */
function plainly(config: Config): Config {
  const { user, role, role_map } = config.proxy.header_map
  return {
    ...config,
    http: { ...config.http, base_path: wholeBasePath(config.http.base_path) },
    proxy: {
      ...config.proxy,
      header_map: { user: user?.toLowerCase() ?? null, role: role?.toLowerCase() ?? null, role_map },
    },
  }
}

function checkAll(config: Config, { mediaDir, trustedHeaders }: LoadDeps, report: ProblemCollector): void {
  const { problem, warning } = report
  checkNetworking(config.networking, report)
  checkTls(config.tls, report)
  checkHttp(config.http, report)
  checkAuth(config.auth, report)
  checkProxy(config.proxy, config.auth, trustedHeaders, report)
  checkDatabase(config.database, report)
  checkCameras(config.cameras, mediaDir, report)
  if (config.logout_url !== null && notLink(config.logout_url)) {
    problem(['logout_url'], wrongText(config.logout_url, ConfigSchema.properties.logout_url))
  }
  if (config.auth.cookie_name.startsWith('__Host-') && config.http.base_path !== '/') {
    const message = 'begins with `__Host-`, which browsers accept only with `http.base_path: /`'
    problem(['auth', 'cookie_name'], { code: 'host-prefix', message })
  }
  for (const [role, cameras] of config.auth.roles) {
    for (const [index, camera] of cameras.entries()) {
      if (config.cameras.has(camera) || camera === '') continue
      const message = `unknown camera ${quoted(camera)}; the role does not grant it`
      warning(['auth', 'roles', role, index], {
        code: 'unknown-camera',
        values: { camera: shownText(camera) },
        message,
      })
    }
  }
}
