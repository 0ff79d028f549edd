import { readFile, realpath, stat } from 'node:fs/promises'
import { ServiceError } from '../../shared/errors.ts'
import { atomicWrite } from '../../shared/files/atomic-write.ts'
import type { ConfigReasons } from '../reasons.ts'
import { systemCodeOf } from '../../shared/caught-error.ts'

interface ReplaceOptions {
  /** Path at which the previous version is kept. */
  readonly keepAs?: string
}

/**
 * Replaces a file atomically: a reader, also after a crash, finds either the old or the new content, never a part.
 * Mode and owner stay; a new file gets mode 0600, and the previous version is never readable by everyone. If the
 * path is a symbolic link, its target is replaced.
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
    // Group access may be intended; access for every user of the machine is not.
    const kept = mode & 0o004 ? mode & 0o600 : mode
    await atomicWrite(keepAs, await readFile(target), { mode: kept, uid, gid })
  }
  await atomicWrite(target, text, before ?? 0o600)
}

/** Throws `unavailable` with a hint for the admin. */
export function cannotReplace(cause: unknown): never {
  const code = systemCodeOf(cause)
  const full = code === 'ENOSPC' || code === 'EDQUOT'
  throw new ServiceError<ConfigReasons>('unavailable', {
    reason: full ? 'disk-full' : 'config-not-written',
    values: { error: code ?? 'unknown error' },
    cause,
  })
}
