import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Something that is built into a folder `dist`. Paths are from the project root.
 *
 * @typedef {object} Build
 * @property {string} name what messages call it
 * @property {string} folder that contains `dist`
 * @property {string} entry a source; without it there is nothing to build
 * @property {readonly string[]} files what it reads, besides the lockfile
 * @property {readonly string[]} folders the same, with all sources in them
 * @property {(into: string) => readonly string[]} command for Node
 */

/** @type {Build} */
export const web = {
  name: 'web UI',
  folder: 'web',
  entry: 'web/index.html',
  files: ['tsconfig.base.json'],
  folders: ['web', 'server/src/shared/with-web'],
  command: (into) => [
    'node_modules/vite/bin/vite.js',
    'build',
    'web',
    '--outDir',
    into,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ],
}

/** @type {Build} */
export const service = {
  name: 'service',
  folder: 'server',
  entry: 'server/src/main.ts',
  files: ['scripts/build-service.ts'],
  folders: ['server/src'],
  command: (into) => ['scripts/build-service.ts', into],
}

/** Stored next to the built files: a hash of the sources they were built from. */
const marker = '.built-from'

/**
 * Why it must be built; undefined if the build matches the sources.
 *
 * @param {Build} build
 * @param {string} root
 * @returns {string | undefined}
 */
export function buildProblem(build, root) {
  if (!existsSync(join(root, build.entry))) return undefined
  const built = join(root, build.folder, 'dist', marker)
  if (!existsSync(built)) return `the ${build.name} is not built yet`
  return readFileSync(built, 'utf8') === fingerprint(build, root) ? undefined : `the ${build.name} has changed`
}

/**
 * Builds into a temporary folder and then replaces the old build, so that a failed or stopped build changes nothing.
 *
 * @param {Build} build
 * @param {string} root
 */
export function runBuild(build, root) {
  console.log(`Setting up: ${buildProblem(build, root)}, building it …`)
  const from = fingerprint(build, root)
  const dist = join(root, build.folder, 'dist')
  const next = join(root, build.folder, '.dist-next')
  const old = join(root, build.folder, '.dist-old')
  const node = join(root, 'node_modules/.bin/node')
  const { status } = spawnSync(existsSync(node) ? node : process.execPath, build.command(next), {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) {
    rmSync(next, { recursive: true, force: true })
    console.error(`\nThe ${build.name} could not be built. The lines above say why.\n`)
    process.exit(1)
  }
  writeFileSync(join(next, marker), from)
  rmSync(old, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(next, dist)
  rmSync(old, { recursive: true, force: true })
}

/**
 * A hash of everything the build reads, the versions of the packages included.
 *
 * @param {Build} build
 * @param {string} root
 */
export function fingerprint({ files, folders }, root) {
  const hash = createHash('sha256')
  const found = folders.flatMap((folder) => sources(root, folder))
  for (const file of ['package-lock.json', ...files, ...found]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sources(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['dist', 'test'].includes(name) && !name.startsWith('.') && !name.includes('.test.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? sources(root, path) : [path]
    })
}
