import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinishedOrLater } from './cleanups.ts'

/** Mounting needs root, in a container also a capability, or the process of `mounting-pool.ts`. */
export const canMount = mountable()
if (!canMount) {
  // In a container, root often lacks the capability, and nothing in CI can give it.
  if (process.env['CI'] && !isRootWithoutCapability())
    throw new Error('nothing can be mounted here, not even with unshare: tests cannot be skipped in CI')
  console.warn('\n!!! nothing can be mounted here: tests of full and read-only disks are SKIPPED !!!\n')
}

/** Whether this process is root, but without CAP_SYS_ADMIN. */
function isRootWithoutCapability(): boolean {
  const effective = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return process.getuid?.() === 0 && effective !== undefined && ((BigInt(`0x${effective}`) >> 21n) & 1n) === 0n
}

function mountable(): boolean {
  if (process.getuid?.() !== 0) return false
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir]).status === 0
  if (mounted) spawnSync('umount', ['-l', dir])
  rmSync(dir, { recursive: true })
  return mounted
}

/** Mounts with these arguments, of which the last is the folder, until the end of the test, or until `stopAll`. */
export function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`)
  onTestFinishedOrLater(() => void spawnSync('umount', ['-l', args.at(-1)!]))
}

/** Makes a mount read-only or writable. */
export function remount(dir: string, how: 'ro' | 'rw'): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,bind,${how}`, dir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`remount ${dir}: ${stderr}`)
}

/** Writes until the disk is full. */
export function fill(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [4096, 64, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch {
      // Full for blocks of this size.
    }
  }
  closeSync(file)
}
