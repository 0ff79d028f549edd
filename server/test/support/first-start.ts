import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStore } from '../../src/store/open.ts'
import { ownCertificate } from '../../src/tls/certificate-store.ts'
import { hostNames } from '../../src/tls/host-names.ts'
import { silent } from './null-log.ts'

/** A file in the configuration directory. */
interface PreparedFile {
  /** Relative to the directory. */
  readonly path: string
  readonly mode: number
  readonly data: Buffer
}

let prepared: Promise<readonly PreparedFile[]> | undefined

/**
 * Writes what the first start of a service creates before it has any content: empty tables, and certificates. Creating
 * them takes most of a start, so it is done once per test file.
 */
export async function writeFirstStart(configDir: string): Promise<void> {
  for (const { path, mode, data } of await (prepared ??= prepare())) {
    const file = join(configDir, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, data, { mode })
  }
}

async function prepare(): Promise<readonly PreparedFile[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-first-'))
  try {
    const store = await openStore({ url: 'sqlite', configDir: dir, log: silent })
    await store.close()
    await ownCertificate({ dir: join(dir, 'tls'), site: hostNames(), now: Date.now(), log: silent })
    return readdirSync(dir, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
      const file = join(dir, path)
      const { mode } = statSync(file)
      return statSync(file).isFile() ? [{ path, mode: mode & 0o777, data: readFileSync(file) }] : []
    })
  } finally {
    rmSync(dir, { recursive: true })
  }
}
