import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Stored next to the built files: a hash of the sources they were built from. */
const marker = '.built-from'

/**
 * Why the web UI must be built; undefined if the build matches the sources.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function webProblem(root) {
  if (!existsSync(join(root, 'web/index.html'))) return undefined
  const built = join(root, 'web/dist', marker)
  if (!existsSync(built)) return 'the web UI is not built yet'
  return readFileSync(built, 'utf8') === fingerprint(root) ? undefined : 'the web UI has changed'
}

/**
 * Builds into a temporary folder and then replaces the old build, so that a failed or stopped build changes nothing.
 *
 * @param {string} root
 */
export function buildWeb(root) {
  console.log(`Setting up: ${webProblem(root)}, building it …`)
  const from = fingerprint(root)
  const dist = join(root, 'web/dist')
  const next = join(root, 'web/.dist-next')
  const old = join(root, 'web/.dist-old')
  const node = join(root, 'node_modules/.bin/node')
  const { status } = spawnSync(
    existsSync(node) ? node : process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      'web',
      '--outDir',
      next,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  if (status !== 0) {
    rmSync(next, { recursive: true, force: true })
    console.error('\nThe web UI could not be built. The lines above say why.\n')
    process.exit(1)
  }
  writeFileSync(join(next, marker), from)
  rmSync(old, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(next, dist)
  rmSync(old, { recursive: true, force: true })
}

/**
 * A hash of everything the build reads: the packages, all sources below `web/`, and what they share with the service.
 *
 * @param {string} root
 */
export function fingerprint(root) {
  const hash = createHash('sha256')
  const read = ['web', 'server/src/shared/with-web'].flatMap((folder) => sources(root, folder))
  for (const file of ['package-lock.json', 'tsconfig.base.json', ...read]) {
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
    .filter(({ name }) => name !== 'dist' && !name.startsWith('.') && !name.includes('.test.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? sources(root, path) : [path]
    })
}
