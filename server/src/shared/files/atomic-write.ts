import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, chown, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A file mode, 0o600 for secrets, or the mode and owner of another file. */
export type Likeness = number | Pick<Stats, 'mode' | 'uid' | 'gid'>

/** Writes a file completely or not at all: a crash leaves either the old or the new file. */
export async function atomicWrite(path: string, content: string | Uint8Array, likeness: Likeness): Promise<void> {
  const draft = join(dirname(path), `${draftPrefix(path)}${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(draft, 'wx', typeof likeness === 'number' ? likeness : 0o600)
    try {
      await file.writeFile(content)
    } finally {
      await file.close()
    }
    if (typeof likeness === 'object') {
      await chmod(draft, likeness.mode & 0o777)
      // Only root can change the owner; for other users, the file already has the right owner or can't get it.
      await chown(draft, likeness.uid, likeness.gid).catch(() => {})
    }
    await syncAndRename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

/** Syncs a draft to the disk, then renames it. */
export async function syncAndRename(draft: string, path: string): Promise<void> {
  await synced(draft)
  await rename(draft, path)
  // The new name is on disk only when its directory is.
  await synced(dirname(path))
}

/** Removes the drafts that a process left next to a file when it was killed while writing. */
export async function removeDrafts(path: string): Promise<void> {
  const directory = dirname(path)
  const names = await readdir(directory).catch(() => [])
  const left = names.filter((name) => name.startsWith(draftPrefix(path)) && name.endsWith('.tmp'))
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true }).catch(() => {})))
}

const draftPrefix = (path: string): string => `.${basename(path)}.`

/** Waits until a file, or the names in a directory, are on disk. */
export async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
