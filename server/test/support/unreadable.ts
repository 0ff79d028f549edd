import { chmodSync, chownSync, lchownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** An unprivileged user: it needs no entry in the list of users. */
const another = 65_534

export const isRoot = process.getuid?.() === 0

/**
 * Runs something in this process while it can't read these files. As root, which can read everything, this process acts as
 * another user, to whom everything else in the folder belongs.
 *
 * @param run starts only a service that was started before, so that its modules are loaded
 */
export async function withUnreadable<T>(folder: string, files: readonly string[], run: () => Promise<T>): Promise<T> {
  if (isRoot) giveTo(another, folder)
  for (const file of files) {
    if (isRoot) chownSync(file, 0, 0)
    chmodSync(file, isRoot ? 0o600 : 0)
  }
  if (isRoot) process.seteuid!(another)
  try {
    return await run()
  } finally {
    if (isRoot) process.seteuid!(0)
    for (const file of files) chmodSync(file, 0o600)
  }
}

function giveTo(user: number, folder: string): void {
  lchownSync(folder, user, user)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), user, user)
  }
}
