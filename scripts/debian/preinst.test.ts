import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'

const preinst = readFileSync(resolve(import.meta.dirname, '../../packaging/debian/preinst'), 'utf8')

/** Runs the script in a folder instead of `/`, where the installed `gatehouse` ends with this status. */
function upgrade({ status, earlier }: { status: number; earlier: string | undefined }) {
  const root = temporaryFolder()
  for (const each of ['var/lib/gatehouse/config', 'var/backups/gatehouse', 'bin'])
    mkdirSync(join(root, each), { recursive: true })
  writeFileSync(join(root, 'var/lib/gatehouse/config/config.yml'), '')
  const command = (name: string, text: string) =>
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  // Not a downgrade.
  command('dpkg', 'exit 1')
  command('gatehouse', `echo "$@" >${root}/called; exit ${status}`)
  const file = join(root, 'var/backups/gatehouse/0.1.0-1.backup')
  if (earlier !== undefined) writeFileSync(file, earlier)
  const script = preinst.replaceAll('@VERSION@', '0.2.0-1').replaceAll(/\/var\/(?=lib|backups)/g, `${root}/var/`)
  const {
    stdout,
    stderr,
    status: ended,
  } = spawnSync('sh', ['-c', script, 'preinst', 'upgrade', '0.1.0-1'], {
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` },
    encoding: 'utf8',
  })
  const plain = (text: string) => text.replaceAll(root, '').trim().split('\n')
  return {
    ended,
    lines: plain(stdout + stderr),
    called: plain(readFileSync(join(root, 'called'), 'utf8')),
    kept: () => readFileSync(file, 'utf8'),
  }
}

describe('[OPS-2] an upgrade of the Debian package whose backup is refused (78)', () => {
  const failed = "gatehouse: couldn't make a backup before the upgrade. The upgrade continues."

  test('continues, keeps the earlier backup, and says so', () => {
    const { ended, lines, called, kept } = upgrade({ status: 78, earlier: 'good' })
    expect(called).toEqual(['backup --replace /var/backups/gatehouse/0.1.0-1.backup'])
    expect([ended, lines]).toEqual([
      0,
      [failed, 'gatehouse: the earlier backup /var/backups/gatehouse/0.1.0-1.backup stays as it was.'],
    ])
    expect(kept()).toBe('good')
  })

  test('names no earlier backup if there is none', () => {
    const { ended, lines } = upgrade({ status: 78, earlier: undefined })
    expect([ended, lines]).toEqual([0, [failed]])
  })
})
