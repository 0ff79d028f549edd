import { readFile, realpath, stat } from 'node:fs/promises'
import { ServiceError } from '../shared/errors.ts'
import { atomicWrite } from '../shared/atomic-write.ts'

interface ReplaceOptions {
  /** The version replaced is kept under this path. */
  readonly keepAs?: string
}

/**
 * Replaces a file whole: whoever reads it, and whoever starts after a crash, finds all of the old or all of the new.
 * Mode and owner stay; a file that was not there gets mode 0600, and the version that is kept is
 * never readable by everyone. Of a symbolic link, its target is replaced.
 */
export async function replaceFile(
  file: string,
  text: string | Uint8Array,
  { keepAs }: ReplaceOptions = {},
): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const before = await stat(target).catch(() => undefined)
  if (keepAs !== undefined && before) {
    const { mode, uid, gid } = before
    // A group may have been given the file on purpose; everyone on the machine was not.
    const kept = mode & 0o004 ? mode & 0o600 : mode
    await atomicWrite(keepAs, await readFile(target), { mode: kept, uid, gid })
  }
  await atomicWrite(target, text, before ?? 0o600)
}

/** What a person can do about it. */
export function cannotReplace(cause: NodeJS.ErrnoException): never {
  const full = cause.code === 'ENOSPC' || cause.code === 'EDQUOT'
  const why = full ? 'the disk is full' : 'mount the directory that holds it, writable, and not the file alone'
  const error = cause.code ?? 'unknown error'
  throw new ServiceError('unavailable', `config.yml cannot be replaced (${error}): ${why}.`, {
    reason: full ? 'disk-full' : 'config-not-written',
    values: { error },
    cause,
  })
}
