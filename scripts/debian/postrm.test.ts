import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'

const postrm = readFileSync(resolve(import.meta.dirname, '../../packaging/debian/postrm'), 'utf8')

interface Machine {
  /** Id of the user `gatehouse`. */
  readonly uid: number | undefined
  /** Folders, relative to `/`, at which something is mounted. */
  readonly mounts?: readonly string[]
}

/** Runs the script in a folder instead of `/`. */
function purge({ uid, mounts = [] }: Machine) {
  const root = temporaryFolder()
  const folders = ['lib/gatehouse/config', 'lib/gatehouse/media/recordings', 'cache/gatehouse', 'backups/gatehouse']
  for (const each of [...folders.map((folder) => join('var', folder)), ...mounts, 'etc/gatehouse', 'bin'])
    mkdirSync(join(root, each), { recursive: true })
  const files = ['config/config.yml', 'media/recordings/segment.mp4', 'media/review.jpg']
  for (const each of [...files.map((file) => join('var/lib/gatehouse', file)), ...mounts.map((at) => join(at, 'file'))])
    writeFileSync(join(root, each), '')
  const command = (name: string, text: string) =>
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  command('id', uid === undefined ? 'exit 1' : `echo ${uid}`)
  command('getent', uid === undefined ? 'exit 2' : 'exit 0')
  command('findmnt', ['', ...mounts].map((each) => `echo '${root}/${each}'`).join('\n'))
  // As of Debian, which deletes no user who isn't a system user.
  command('deluser', `echo deluser >>${root}/called; [ ${uid ?? 0} -lt 1000 ]`)
  command('userdel', `echo userdel >>${root}/called`)
  command('deb-systemd-helper', 'exit 0')
  command('chown', 'exit 0')
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
    left: ['var', 'etc/gatehouse'].flatMap((each) => filesBelow(join(root, each))).map((each) => relative(root, each)),
  }
}

/** The files and empty folders. */
const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .map((each) => ({ each, path: join(each.parentPath, each.name) }))
        .filter(({ each, path }) => !each.isDirectory() || readdirSync(path).length === 0)
        .map(({ path }) => path)
        .sort()
    : []

describe('a purge of the Debian package', () => {
  // Of `/var`, only the folders stay in which others have something.
  const left = ['var/backups', 'var/cache', 'var/lib']

  test('deletes its folders and its user', () => {
    expect(purge({ uid: 104 })).toEqual({ status: 0, printed: '', deleted: ['deluser'], left })
  })

  test('deletes no account of a person with the name of its user', () => {
    expect(purge({ uid: 1000 })).toEqual({ status: 0, printed: '', deleted: [], left })
  })

  test('ends also if its user was deleted before', () => {
    expect(purge({ uid: undefined })).toEqual({ status: 0, printed: '', deleted: [], left })
  })

  test.each([
    [['var/lib/gatehouse/media/recordings'], ['media/recordings/file', 'media/recordings/segment.mp4']],
    [['var/lib/gatehouse/media/[disk] 1'], ['media/[disk] 1/file']],
    [
      ['var/lib/gatehouse/config', 'var/lib/gatehouse/media/recordings'],
      ['config/config.yml', 'config/file', 'media/recordings/file', 'media/recordings/segment.mp4'],
    ],
    [['var/lib/gatehouse'], ['config/config.yml', 'file', 'media/recordings/segment.mp4', 'media/review.jpg']],
  ])(
    'keeps what is mounted at %j, and the user to whom it belongs, names both, and deletes the rest',
    (mounts, stay) => {
      expect(purge({ uid: 104, mounts })).toEqual({
        status: 0,
        printed: [
          ...mounts.map((each) => `gatehouse: /${each} stays, because it is mounted.\n`),
          'gatehouse: the user gatehouse stays, because files of it do.\n',
        ].join(''),
        deleted: [],
        left: ['var/backups', 'var/cache', ...stay.map((each) => join('var/lib/gatehouse', each))],
      })
    },
  )

  test('keeps nothing for what is mounted elsewhere', () => {
    const { printed, deleted } = purge({ uid: 104, mounts: ['var/lib/gatehouse-other'] })
    expect([printed, deleted]).toEqual(['', ['deluser']])
  })
})
