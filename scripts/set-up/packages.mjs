import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Why the packages have to be installed; undefined when they are those of the lockfile.
 *
 * npm writes `node_modules/.package-lock.json` last, so it is there only after a whole installation.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function packagesProblem(root) {
  const installed = packagesIn(join(root, 'node_modules/.package-lock.json'))
  if (!installed) return 'no packages are installed yet'
  const wanted = packagesIn(join(root, 'package-lock.json'))
  if (!wanted) return 'package-lock.json cannot be read'
  for (const [path, { version, integrity, optional }] of Object.entries(wanted)) {
    if (path === '') continue
    const found = installed[path]
    // What is optional is for other platforms, but for the Node.js of this one.
    if (!found && optional && path !== `node_modules/node-${process.platform}-${process.arch}`) continue
    if (found?.version !== version || found?.integrity !== integrity) return 'the packages have changed'
    if (path.endsWith(`/node-${process.platform}-${process.arch}`) && !existsSync(join(root, path, 'bin/node'))) {
      return 'the Node.js among the packages is gone'
    }
  }
  return undefined
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
