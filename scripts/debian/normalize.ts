import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folders that only root can read. */
const secret = new Set(['etc/gatehouse/credentials'])

/** Gives everything in a folder the same time, in Unix seconds, and modes that don't depend on the umask of the build. */
export function normalize(folder: string, epoch: number): void {
  const visit = (path: string) => {
    const full = join(folder, path)
    const found = lstatSync(full)
    if (found.isDirectory()) for (const name of readdirSync(full)) visit(join(path, name))
    if (!found.isSymbolicLink()) chmodSync(full, modeOf(path, found))
    lutimesSync(full, epoch, epoch)
  }
  visit('')
}

function modeOf(path: string, found: { readonly mode: number; isDirectory(): boolean }): number {
  if (secret.has(path)) return 0o700
  if (found.isDirectory()) return 0o755
  // Commands of npm's packages aren't meant to be run, except for Node.js.
  const isCommand = /\/node_modules\//.test(path) ? path.endsWith('/bin/node') : (found.mode & 0o100) !== 0
  return isCommand ? 0o755 : 0o644
}
