import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** An import of a package in TypeScript or CSS. Types alone are not bundled. */
const imported =
  /^(?:import|export)\s(?!type\b)[\w\s{},*]*'([^'.][^']*)'|\bimport\('([^'.][^']*)'\)|@import '([^'.][^']*)'/gm

/** The package of an import: `@mantine/core/styles.css` is from `@mantine/core`. */
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** The names of the packages that a text imports. */
export const packagesIn = (text: string): string[] =>
  [...text.matchAll(imported)].map(([, first, second, third]) => packageOf(first ?? second ?? third ?? ''))

/** Returns package.json as if everything that users get were a dependency: the build bundles the web UI's libraries. */
export function shippedPackage(root: string): PackageJson {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson
  const sources = globSync('web/src/**/*.{ts,tsx,css}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
  const names = new Set(sources.flatMap((file) => packagesIn(readFileSync(join(root, file), 'utf8'))))
  const bundled = Object.entries(own.devDependencies).filter(([name]) => names.has(name))
  return { ...own, dependencies: { ...own.dependencies, ...Object.fromEntries(bundled) }, devDependencies: {} }
}

/**
 * Runs npm on the shipped packages of this checkout, from the lockfile alone.
 *
 * @returns what npm printed to standard output, whatever its exit status
 */
export function npmOnShipped(root: string, args: readonly string[]): string {
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-shipped-'))
  // npm names the project after its folder.
  const folder = join(scratch, 'gatehouse')
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify(shippedPackage(root)))
    copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
    // Removes the packages of development from the copy: one that npm finds fault with would end `npm sbom`.
    const pruned = runNpm(folder, ['install', '--offline', '--ignore-scripts', '--no-audit'])
    if (pruned.status !== 0) throw new Error(`npm could not read the lockfile: ${pruned.stdout}`)
    return runNpm(folder, args).stdout
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function runNpm(folder: string, args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  const { status, stdout, error } = spawnSync('npm', [...args, '--package-lock-only', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 << 20,
  })
  if (error) throw error
  return { status, stdout }
}
