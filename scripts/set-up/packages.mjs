import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Why the packages must be installed; undefined if they match the lockfile.
 *
 * npm writes `node_modules/.package-lock.json` last, so the file exists only after a complete installation.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function packagesProblem(root) {
  const installed = packagesIn(join(root, 'node_modules/.package-lock.json'))
  if (!installed) return 'no packages are installed yet'
  const locked = packagesIn(join(root, 'package-lock.json'))
  if (!locked) return 'package-lock.json cannot be read'
  for (const [path, { version, integrity, optional }] of Object.entries(locked)) {
    if (path === '') continue
    const found = installed[path]
    // Optional packages are for other platforms, except the Node.js of this one.
    if (!found && optional && path !== `node_modules/node-${process.platform}-${process.arch}`) continue
    if (found?.version !== version || found?.integrity !== integrity) return 'the packages have changed'
    if (path.endsWith(`/node-${process.platform}-${process.arch}`) && !existsSync(join(root, path, 'bin/node'))) {
      return 'the Node.js among the packages is missing'
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
