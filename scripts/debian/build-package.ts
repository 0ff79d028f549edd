import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Architecture } from './architectures.ts'
import { stageControl, stageDocs, stageFolders } from './stage-debian.ts'
import { normalize } from './normalize.ts'
import { stageProgram } from './stage-program.ts'

export interface PackageDeps {
  /** The checkout. Its web UI must be built. */
  readonly root: string
  readonly architecture: Architecture
  /** Version of Debian's package, such as `1.2.3-1`. */
  readonly version: string
  /** Where the package is written, under Debian's name of it. */
  readonly folder: string
  /** Unix seconds: the time of all files in the package. */
  readonly epoch: number
  /** Default: xz. `none` is for tests. */
  readonly compression?: 'xz' | 'none'
}

/**
 * Builds a Debian package from the sources and the lockfile. The same checkout, lockfile and `epoch` give the same bytes.
 *
 * @returns the path of the package
 * @throws Error that names the program that is missing or failed
 */
export function buildPackage(deps: PackageDeps): string {
  const { root, architecture, version, folder, epoch, compression = 'xz' } = deps
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-deb-'))
  try {
    const stage = join(scratch, 'gatehouse')
    stageProgram({ root, stage, architecture })
    stageFolders({ root, stage })
    stageDocs({ root, stage, version, epoch })
    stageControl({ root, stage, architecture, version })
    normalize(stage, epoch)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `gatehouse_${version}_${architecture}.deb`)
    run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', stage, file], {
      ...process.env,
      SOURCE_DATE_EPOCH: String(epoch),
    })
    return file
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Version of Debian's package: that of package.json, first revision. A prerelease comes before its release. */
export function debianVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return `${version.replace('-', '~')}-1`
}

/** `SOURCE_DATE_EPOCH`, or the time of the checked out commit, in Unix seconds. */
export function sourceEpoch(root: string, env: NodeJS.ProcessEnv): number {
  const given = env['SOURCE_DATE_EPOCH']
  const found = Number(given ?? run('git', ['log', '-1', '--format=%ct'], env, root))
  if (!Number.isSafeInteger(found)) throw new Error(`SOURCE_DATE_EPOCH is not a number of seconds: ${given}`)
  return found
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8', ...(cwd && { cwd }) })
  if (error && program === 'dpkg-deb') {
    throw new Error('dpkg-deb is missing. Build the package on Debian or Ubuntu, or install dpkg.', { cause: error })
  }
  if (error) throw error
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout
}
