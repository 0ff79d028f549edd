import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, chown, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A mode as of open, 0o600 for secrets; or mode and owner of another file. */
export type Likeness = number | Pick<Stats, 'mode' | 'uid' | 'gid'>

/** Writes a file whole or not at all: what a crash leaves is the old one or the new one. */
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
      // Only root may give a file away; for anybody else it is theirs already, or cannot be.
      await chown(draft, likeness.uid, likeness.gid).catch(() => {})
    }
    await syncAndRename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

/** Brings a draft to the disk, and then to its name. */
export async function syncAndRename(draft: string, path: string): Promise<void> {
  await synced(draft)
  await rename(draft, path)
  // The new name is on disk only when its directory is.
  await synced(dirname(path))
}

/** Takes away what a process that was killed while writing a file has left beside it. */
export async function removeDrafts(path: string): Promise<void> {
  const directory = dirname(path)
  const names = await readdir(directory).catch(() => [])
  const left = names.filter((name) => name.startsWith(draftPrefix(path)) && name.endsWith('.tmp'))
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true }).catch(() => {})))
}

const draftPrefix = (path: string): string => `.${basename(path)}.`

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
