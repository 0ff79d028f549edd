import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { architectures, type Architecture } from '../../../scripts/debian/architectures.ts'

/** What a Debian that is not booted has itself. */
export const namespaces = ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child'] as const

/** Namespaces need root, and not every container allows them even then. */
export const hasNamespaces = process.getuid?.() === 0 && spawnSync('unshare', [...namespaces, 'true']).status === 0

/**
 * The architecture whose package and image run in their tests: `TEST_ARCHITECTURE=arm64` is for the other one, on arm64 or
 * emulated (Debian: `qemu-user-static`).
 */
export const architecture: Architecture = process.env['TEST_ARCHITECTURE'] === 'arm64' ? 'arm64' : 'amd64'

const emulator = { amd64: 'qemu-x86_64', arm64: 'qemu-aarch64' }[architecture]

/** Whether the architecture is another one than this machine's. */
export const isEmulated = process.arch !== architectures[architecture]

/** Whether programs of the architecture run here. */
export const runsArchitecture = !isEmulated || existsSync(`/proc/sys/fs/binfmt_misc/${emulator}`)

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
