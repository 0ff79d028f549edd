import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** A file of an image: where programs look for it, and where its content is now. */
export interface NeededFile {
  readonly path: string
  readonly file: string
}

/**
 * Finds the programs and all libraries that they load, directly or not, without running them.
 *
 * @param root the unpacked packages
 * @param roots absolute paths below `root`
 * @param folders where libraries are, in the order in which the loader searches them
 * @throws Error that names a missing file
 */
export function neededFiles(root: string, roots: readonly string[], folders: readonly string[]): NeededFile[] {
  const found = new Map<string, NeededFile>()
  const queue = [...roots]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    if (!existsSync(join(root, path))) throw new Error(`No package has ${path}.`)
    const file = realpathSync(join(root, path))
    found.set(path, { path, file })
    for (const name of librariesOf(file)) {
      const folder = folders.find((each) => existsSync(join(root, each, name)))
      if (folder === undefined) throw new Error(`No package has ${name}, which ${path} loads.`)
      queue.push(`${folder}/${name}`)
    }
  }
  return [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** The libraries that an executable names. @throws Error if readelf is missing */
function librariesOf(file: string): string[] {
  const { stdout, error } = spawnSync('readelf', ['--dynamic', '--wide', file], { encoding: 'utf8' })
  if (error) throw new Error('readelf is missing: `apt-get install binutils`.', { cause: error })
  return [...stdout.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name = '']) => name)
}
