import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'

const postrm = readFileSync(resolve(import.meta.dirname, '../../packaging/debian/postrm'), 'utf8')

/** Runs the script in a folder instead of `/`, where the user `gatehouse` has this id. */
function purge({ uid, rm = '/bin/rm "$@"' }: { uid: number | undefined; rm?: string }) {
  const root = temporaryFolder()
  for (const each of ['var/lib/gatehouse/config', 'var/cache/gatehouse', 'etc/gatehouse', 'bin'])
    mkdirSync(join(root, each), { recursive: true })
  const command = (name: string, text: string) =>
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  command('id', uid === undefined ? 'exit 1' : `echo ${uid}`)
  command('getent', uid === undefined ? 'exit 2' : 'exit 0')
  command('rm', rm)
  // As of Debian, which deletes no user who isn't a system user.
  command('deluser', `echo deluser >>${root}/called; [ ${uid ?? 0} -lt 1000 ]`)
  command('userdel', `echo userdel >>${root}/called`)
  command('deb-systemd-helper', 'exit 0')
  const script = postrm
    .replaceAll(/\/(?=(?:var|etc)\/)/g, `${root}/`)
    .replaceAll('/run/systemd/system', `${root}/run/systemd/system`)
  const { status, stderr } = spawnSync('sh', ['-c', script, 'postrm', 'purge'], {
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` },
    encoding: 'utf8',
  })
  const called = join(root, 'called')
  return {
    status,
    printed: stderr.replaceAll(root, ''),
    deleted: existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n') : [],
    left: ['var/lib/gatehouse', 'var/cache/gatehouse', 'etc/gatehouse'].filter((each) => existsSync(join(root, each))),
  }
}

describe('a purge of the Debian package', () => {
  test('deletes its folders and its user', () => {
    expect(purge({ uid: 104 })).toEqual({ status: 0, printed: '', deleted: ['deluser'], left: [] })
  })

  test('deletes no account of a person with the name of its user', () => {
    expect(purge({ uid: 1000 })).toEqual({ status: 0, printed: '', deleted: [], left: [] })
    expect(purge({ uid: undefined })).toMatchObject({ status: 0, deleted: [] })
  })

  test('keeps a disk that is mounted in its folder, and ends', () => {
    // As rm does with a file system of its own below the folder.
    const rm =
      'case "$*" in *--one-file-system*) exit 1 ;; *var/lib*) echo deleted everything >&2; exit 1 ;; *) /bin/rm "$@" ;; esac'
    expect(purge({ uid: 104, rm })).toEqual({
      status: 0,
      printed: 'gatehouse: /var/lib/gatehouse stays, because another disk is mounted in it.\n',
      deleted: ['deluser'],
      left: ['var/lib/gatehouse'],
    })
  })
})
