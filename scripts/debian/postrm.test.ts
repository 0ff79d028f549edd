import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'

const postrm = readFileSync(resolve(import.meta.dirname, '../../packaging/debian/postrm'), 'utf8')

interface Machine {
  /** Folders, relative to `/`, at which something is mounted. */
  readonly mounts?: readonly string[]
  /** Where `/var/lib` is, relative to `/`, if it is a symlink. */
  readonly varLib?: string
  /** Programs that fail. */
  readonly failing?: readonly string[]
  /** Id of the user to whom the backup belongs. */
  readonly backupOf?: number
  /** `purge`, unless it is another. */
  readonly action?: string
}

const backup = 'var/backups/gatehouse/0.1.0-1.backup'

/** Runs the script in a folder instead of `/`. */
function run({ mounts = [], varLib, failing = [], backupOf, action = 'purge' }: Machine = {}) {
  const root = realpathSync(temporaryFolder())
  const folders = ['lib/gatehouse/config', 'lib/gatehouse/media/recordings', 'cache/gatehouse', 'backups/gatehouse']
  for (const each of [...folders.map((folder) => join('var', folder)), ...mounts, 'etc/gatehouse', 'bin'])
    mkdirSync(join(root, each), { recursive: true })
  const files = ['config/config.yml', 'media/recordings/segment.mp4', 'media/review.jpg']
  for (const each of [...files.map((file) => join('var/lib/gatehouse', file)), ...mounts.map((at) => join(at, 'file'))])
    writeFileSync(join(root, each), '')
  if (backupOf !== undefined) {
    writeFileSync(join(root, backup), '')
    chownSync(join(root, backup), backupOf, backupOf)
  }
  const at = varLib ?? 'var/lib'
  if (varLib !== undefined) {
    renameSync(join(root, 'var/lib'), join(root, varLib))
    symlinkSync(`../${varLib}`, join(root, 'var/lib'))
  }
  const command = (name: string, text: string) =>
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  writeFileSync(
    join(root, 'mountinfo'),
    mountInfo([root, ...mounts.map((each) => join(root, each.replace('var/lib', at)))]),
  )
  command('findmnt', `exec /usr/bin/findmnt --tab-file ${root}/mountinfo "$@"`)
  command('deluser', `echo deluser >>${root}/called`)
  command('userdel', `echo userdel >>${root}/called`)
  command('deb-systemd-helper', `echo "deb-systemd-helper $1" >>${root}/called`)
  for (const each of failing) command(each, `echo '${each}: failed' >&2; exit 1`)
  const script = postrm
    .replaceAll(/\/(?=(?:var|etc)\/)/g, `${root}/`)
    .replaceAll('/run/systemd/system', `${root}/run/systemd/system`)
  const { status, stderr } = spawnSync('sh', ['-c', script, 'postrm', action], {
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` },
    encoding: 'utf8',
  })
  const called = join(root, 'called')
  return {
    status,
    printed: stderr.replaceAll(root, ''),
    called: existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n') : [],
    left: ['var', 'etc', ...(varLib === undefined ? [] : [varLib])]
      .flatMap((each) => filesBelow(join(root, each)))
      .map((each) => relative(root, each)),
    ownerOfBackup: () => lstatSync(join(root, backup)).uid,
  }
}

/** As `/proc/self/mountinfo`, which the kernel writes in octal where a line would be ambiguous. */
const mountInfo = (folders: readonly string[]): string =>
  folders
    .map((each) => each.replaceAll(/[\s\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`))
    .map((each, index) => `${index + 2} 1 8:1 / ${each} rw - ext4 /dev/sda1 rw\n`)
    .join('')

/** The files and empty folders. */
const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .map((each) => ({ each, path: join(each.parentPath, each.name) }))
        .filter(({ each, path }) => !each.isDirectory() || readdirSync(path).length === 0)
        .map(({ path }) => path)
        .sort()
    : []

const below = (folder: string, files: readonly string[]) => files.map((each) => join(folder, each))

describe('a purge of the Debian package', () => {
  // Of `/var`, only the folders stay in which others have something.
  const left = ['var/backups', 'var/cache', 'var/lib']
  const state = ['config/config.yml', 'media/recordings/segment.mp4', 'media/review.jpg']
  const called = ['deb-systemd-helper purge']

  test('deletes its folders, and never its user, whose id another user could get', () => {
    expect(run()).toMatchObject({ status: 0, printed: '', called, left })
  })

  test.each([
    [['var/lib/gatehouse/media/recordings'], ['media/recordings/file', 'media/recordings/segment.mp4']],
    [['var/lib/gatehouse/media/[disk] 1'], ['media/[disk] 1/file']],
    [['var/lib/gatehouse/media/Küche'], ['media/Küche/file']],
    [['var/lib/gatehouse/media/a\\b'], ['media/a\\b/file']],
    [
      ['var/lib/gatehouse/config', 'var/lib/gatehouse/media/recordings'],
      ['config/config.yml', 'config/file', 'media/recordings/file', 'media/recordings/segment.mp4'],
    ],
    [['var/lib/gatehouse'], ['config/config.yml', 'file', 'media/recordings/segment.mp4', 'media/review.jpg']],
  ])('keeps what is mounted at %j, names it, and deletes the rest', (mounts, stay) => {
    expect(run({ mounts })).toMatchObject({
      status: 0,
      printed: mounts.map((each) => `gatehouse: /${each} stays, because it is mounted.\n`).join(''),
      called,
      left: ['var/backups', 'var/cache', ...below('var/lib/gatehouse', stay)],
    })
  })

  test('keeps what is mounted at a name that findmnt can’t print as it is', () => {
    const name = 'a\n\\x\t\u0085ü'
    expect(run({ mounts: [`var/lib/gatehouse/${name}`] })).toMatchObject({
      status: 0,
      printed: 'gatehouse: /var/lib/gatehouse/a\\x0a\\x5cx\\x09\\xc2\\x85ü stays, because it is mounted.\n',
      left: ['var/backups', 'var/cache', `var/lib/gatehouse/${name}/file`],
    })
  })

  test('keeps nothing for what is mounted elsewhere', () => {
    const { printed, left: stay } = run({ mounts: ['var/lib/gatehouse-other'] })
    expect([printed, stay]).toEqual(['', ['var/backups', 'var/cache', 'var/lib/gatehouse-other/file']])
  })

  test('keeps what is mounted if /var/lib is a symlink, too', () => {
    expect(run({ varLib: 'data', mounts: ['var/lib/gatehouse/media/recordings'] })).toMatchObject({
      status: 0,
      printed: 'gatehouse: /data/gatehouse/media/recordings stays, because it is mounted.\n',
      left: expect.arrayContaining(below('data/gatehouse/media/recordings', ['file', 'segment.mp4'])),
    })
    expect(run({ varLib: 'data' }).left).toEqual(left)
  })

  test('keeps all of /var/lib/gatehouse if it can’t know what is mounted in it', () => {
    expect(run({ failing: ['findmnt'] })).toMatchObject({
      status: 0,
      printed:
        'findmnt: failed\ngatehouse: /var/lib/gatehouse stays, because findmnt failed, so something could be mounted in it.\n',
      called,
      left: ['var/backups', 'var/cache', ...below('var/lib/gatehouse', state)],
    })
  })

  test('ends also if folders can’t be deleted, for example because they are mounted, and names them', () => {
    expect(run({ failing: ['rm', 'rmdir', 'find'] })).toMatchObject({
      status: 0,
      printed: [
        'find: failed\nfind: failed\n',
        'rm: failed\ngatehouse: could not delete all of /var/cache/gatehouse /etc/gatehouse.\n',
        'find: failed\ngatehouse: files in /var/backups/gatehouse still belong to a user that was deleted.\n',
        'rmdir: failed\ngatehouse: /var/backups/gatehouse stays.\n',
      ].join(''),
      called,
    })
  })

  describe.skipIf(process.getuid?.() !== 0)('keeps backups', () => {
    /** An id that no user has. */
    const deleted = 3_999_999_999

    test('and their owner', () => {
      const { left: stay, ownerOfBackup } = run({ backupOf: 1 })
      expect(stay).toContain(backup)
      expect(ownerOfBackup()).toBe(1)
    })

    test('of a user that was deleted, as those of root', () => {
      const { status, printed, ownerOfBackup } = run({ backupOf: deleted })
      expect([status, printed, ownerOfBackup()]).toEqual([0, '', 0])
    })

    test('of a user that was deleted on a disk that is read-only, and names their folder', () => {
      expect(run({ backupOf: deleted, failing: ['chown'] })).toMatchObject({
        status: 0,
        printed: 'chown: failed\ngatehouse: files in /var/backups/gatehouse still belong to a user that was deleted.\n',
      })
    })
  })
})

test('a removal of the Debian package ends also if its cache can’t be deleted, and deletes nothing else', () => {
  expect(run({ action: 'remove', failing: ['rm'] })).toMatchObject({
    status: 0,
    printed: 'rm: failed\ngatehouse: could not delete all of /var/cache/gatehouse.\n',
    called: [],
    left: expect.arrayContaining(['var/lib/gatehouse/config/config.yml', 'etc/gatehouse']),
  })
})
