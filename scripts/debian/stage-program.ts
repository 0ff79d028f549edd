import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { architectures, type Architecture } from './architectures.ts'

/** Where the program is installed. */
export const programFolder = 'usr/lib/gatehouse'

export interface ProgramDeps {
  readonly root: string
  /** Folder that becomes the root of the file system. */
  readonly stage: string
  readonly architecture: Architecture
}

/** Copies the service's sources and the built web UI, builds the service, and installs the packages that the service uses, Node.js included. */
export function stageProgram({ root, stage, architecture }: ProgramDeps): void {
  const target = join(stage, programFolder)
  mkdirSync(target, { recursive: true })
  const copy = (path: string, filter: (source: string) => boolean = () => true) =>
    cpSync(join(root, path), join(target, path), { recursive: true, filter })
  copy('server/bin')
  for (const file of ['start', 'run-service', 'load-code']) copy(`server/${file}.mjs`)
  copy('server/trusted_headers.conf')
  copy('server/src', (source) => !source.endsWith('.test.ts'))
  if (!existsSync(join(root, 'web/dist/index.html'))) throw new Error('The web UI is not built: run `npm run build`.')
  copy('web/dist')
  buildService(root, join(target, 'server/dist'))
  installPackages(root, target, architecture)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(packageOf(root), null, 2)}\n`)
}

/** From the sources of now, whatever was built before. */
function buildService(root: string, into: string): void {
  const { status, error } = spawnSync(process.execPath, [join(root, 'scripts/build-service.ts'), into], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (error) throw error
  if (status !== 0) throw new Error('The service could not be built. The lines above say why.')
}

/** Exactly what the lockfile says, for the architecture, without what builds and tests, and without running a script. */
function installPackages(root: string, target: string, architecture: Architecture): void {
  const files = ['package.json', 'package-lock.json', '.npmrc']
  const manifest = withoutFfmpeg(jsonIn(root, 'package.json') as Manifest)
  const lockfile = lockWithoutFfmpeg(jsonIn(root, 'package-lock.json') as Lockfile)
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(target, 'package-lock.json'), JSON.stringify(lockfile))
  copyFileSync(join(root, '.npmrc'), join(target, '.npmrc'))
  const platform = ['--os=linux', `--cpu=${architectures[architecture]}`, '--libc=glibc']
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const { status, error } = spawnSync('npm', ['ci', ...options, ...platform], {
    cwd: target,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Not those of the npm that runs this script.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  })
  if (error) throw error
  if (status !== 0) throw new Error('`npm ci` failed. The lines above say why.')
  const node = `node_modules/node-linux-${architectures[architecture]}`
  const unused = [...files, ...['include', 'share', 'CHANGELOG.md', 'README.md'].map((name) => `${node}/${name}`)]
  const found = globSync(unusedInPackages, { cwd: target }).filter((path) => !path.endsWith('/.bin'))
  for (const path of [...unused, ...found]) rmSync(join(target, path), { recursive: true, force: true })
  if (!existsSync(join(target, node, 'bin/node'))) throw new Error(`npm installed no Node.js for ${architecture}.`)
}

interface Manifest {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Lockfile {
  /** By path; that of the project itself is empty. */
  readonly packages: Readonly<Record<string, Manifest>>
}

const isFfmpeg = (path: string): boolean => path.includes('@ffmpeg-binary/')

const without = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !isFfmpeg(name)))

/** Debian's ffmpeg is used, which gets security updates. */
const withoutFfmpeg = (manifest: Manifest): Manifest => ({
  ...manifest,
  optionalDependencies: without(manifest.optionalDependencies ?? {}),
})

const lockWithoutFfmpeg = (lockfile: Lockfile): Lockfile => ({
  ...lockfile,
  packages: { ...without(lockfile.packages), '': withoutFfmpeg(lockfile.packages[''] ?? {}) },
})

const jsonIn = (root: string, file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))

/**
 * What packages of npm contain besides their code and their licenses: settings of their own tools, tests, commands, source
 * maps, TypeScript, which Node.js doesn't run there, and texts.
 */
const unusedInPackages = [
  'node_modules/**/.*',
  'node_modules/**/*.test.{js,cjs,mjs,ts}',
  'node_modules/**/*.{map,ts,cts,mts}',
  'node_modules/**/!(LICEN[CS]E|License|license)*.{md,markdown,html}',
  'node_modules/.bin/!(node)',
  'node_modules/{*,@*/*}/{test,tests,spec,integration,benchmark,benchmarks,example,examples,docs}',
]

/** What a running service reads of package.json, and what it is made of. */
function packageOf(root: string): object {
  const all = jsonIn(root, 'package.json') as Readonly<Record<string, unknown>>
  const names = ['name', 'version', 'description', 'license', 'private', 'type', 'dependencies']
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}
