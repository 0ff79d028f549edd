import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ForksPoolWorker, type PoolRunnerInitializer } from 'vitest/node'

/** As root of its own users and mounts, which the kernel allows everyone, unless it is set up otherwise. */
const ownMounts = ['--map-root-user', '--mount']

/** Tests in such a process can mount, without root. */
class MountingWorker extends ForksPoolWorker {
  override readonly name = 'mounting'

  override start(): Promise<void> {
    const { execPath } = process
    // A worker is a copy of this program, which has no option for another one.
    process.execPath = wrapperOf(execPath)
    try {
      return super.start()
    } finally {
      process.execPath = execPath
    }
  }
}

let wrapper: string | undefined

function wrapperOf(node: string): string {
  // Each run of the tests removes its folders, and in watch mode this process has several.
  if (wrapper !== undefined && existsSync(wrapper)) return wrapper
  wrapper = join(mkdtempSync(join(tmpdir(), 'gatehouse-')), 'node')
  writeFileSync(wrapper, `#!/bin/sh\nexec unshare ${ownMounts.join(' ')} -- '${node}' "$@"\n`, { mode: 0o755 })
  return wrapper
}

/** The pool for tests that mount; undefined if root runs them, or if the kernel allows no one else to mount. */
export const mountingPool: PoolRunnerInitializer | undefined =
  process.getuid?.() !== 0 && spawnSync('unshare', [...ownMounts, 'true']).status === 0
    ? { name: 'mounting', createPoolWorker: (options) => new MountingWorker(options) }
    : undefined
