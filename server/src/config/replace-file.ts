import { chmod, chown, copyFile, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'

export interface ReplaceOptions {
  /** The version replaced is kept under this path. */
  readonly keepAs?: string
}

/**
 * Replaces a file whole: whoever reads it, and whoever starts after a crash, finds all of the old or all of the new.
 * Mode and owner stay; a file that was not there gets mode 0600. Of a symbolic link, its target is replaced.
 */
export async function replaceFile(file: string, text: string | Uint8Array, { keepAs }: ReplaceOptions = {}): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const before = await stat(target).catch(() => undefined)
  const write = async (to: string, fill: (temporary: string) => Promise<void>) => {
    const temporary = join(dirname(to), `${temporaryPrefix(to)}${randomBytes(6).toString('hex')}.tmp`)
    try {
      await fill(temporary)
      if (before) {
        await chmod(temporary, before.mode & 0o777)
        // Only root may give a file away; for anybody else it is theirs already, or cannot be.
        await chown(temporary, before.uid, before.gid).catch(() => {})
      }
      await synced(temporary)
      await rename(temporary, to)
      await synced(dirname(to))
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
  }
  if (keepAs !== undefined && before) await write(keepAs, (temporary) => copyFile(target, temporary))
  await write(target, async (temporary) => {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
    } finally {
      await handle.close()
    }
  })
}

/** Takes away what a process that was killed while writing has left. */
export async function removeLeftovers(file: string): Promise<void> {
  const directory = dirname(file)
  const names = await readdir(directory).catch(() => [])
  const prefix = temporaryPrefix(file)
  const leftovers = names.filter((name) => name.startsWith(prefix) && name.endsWith('.tmp'))
  await Promise.all(leftovers.map((name) => rm(join(directory, name), { force: true }).catch(() => {})))
}

const temporaryPrefix = (file: string): string => `.${basename(file)}.`

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
