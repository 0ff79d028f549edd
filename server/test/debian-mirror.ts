import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What a Debian that is not booted has of its own. */
export const namespaces = ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child'] as const

/** Namespaces need root, and not every container allows them even then. */
export const hasNamespaces = process.getuid?.() === 0 && spawnSync('unshare', [...namespaces, 'true']).status === 0

/** What tests download of Debian is kept here for the next run, also for other checkouts of this user. */
export const downloads = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gatehouse-tests')

/** Whether Debian's packages can be downloaded. */
export const reachesMirror = (): Promise<boolean> =>
  fetch('http://deb.debian.org/debian/dists/bookworm/InRelease', {
    method: 'HEAD',
    signal: AbortSignal.timeout(20_000),
  }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Says that tests are skipped. In CI too: unlike a program, neither root nor a network can be installed. */
export function skipLoudly(tests: string, missing: string): void {
  console.warn(`\n!!! ${missing}: ${tests} SKIPPED !!!\n`)
}
