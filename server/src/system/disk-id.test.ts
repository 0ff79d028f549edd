import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskId, diskIdFrom } from './disk-id.ts'

const root = '1 0 8:1 / / rw - ext4 /dev/sda1 rw'
const disk = '2 1 8:17 / /srv rw,noatime shared:4 - xfs /dev/sdb1 rw'
const spaced = String.raw`3 1 8:33 / /mnt/big\040disk rw - ext4 /dev/sdc1 rw`
const nas = (source: string, type = 'nfs4', point = '/nas', device = '0:52') =>
  `4 1 ${device} / ${point} rw - ${type} ${source} rw`

interface Place {
  readonly folder: string
  readonly mounts: readonly string[]
  readonly boot?: string
}
const idOf = ({ folder, mounts, boot = 'one' }: Place) => diskIdFrom({ folder, mounts: mounts.join('\n'), boot })

test.each<[string, Place, Place]>([
  [
    'two folders of one disk',
    { folder: '/srv/a', mounts: [root, disk] },
    { folder: '/srv/b/media', mounts: [root, disk] },
  ],
  [
    'the disk at two places, as in containers',
    { folder: '/srv', mounts: [root, disk] },
    { folder: '/media', mounts: ['1 0 0:70 / / rw - overlay overlay rw', '2 1 8:17 /a /media rw - xfs /dev/sdb1 rw'] },
  ],
  [
    'two subvolumes',
    { folder: '/a', mounts: [root, '2 1 0:30 /@a /a rw - btrfs /dev/sdd rw'] },
    { folder: '/b', mounts: [root, '2 1 0:30 /@b /b rw - btrfs /dev/sdd rw'] },
  ],
  [
    'a file server, from two machines',
    { folder: '/nas/a', mounts: [root, nas('nas:/media')], boot: 'one' },
    { folder: '/b', mounts: [root, nas('nas:/media', 'nfs', '/b', '0:41')], boot: 'two' },
  ],
])('%s have one id', (_what, one, other) => {
  expect(idOf(one)).toMatch(/^[0-9a-f]{32}$/)
  expect(idOf(one)).toBe(idOf(other))
})

test.each<[string, Place, Place]>([
  ['two disks', { folder: '/var', mounts: [root, disk] }, { folder: '/srv', mounts: [root, disk] }],
  [
    'a folder whose name begins like that of a mount',
    { folder: '/srv2', mounts: [root, disk] },
    { folder: '/srv', mounts: [root, disk] },
  ],
  [
    'a mount with a space in its name',
    { folder: '/mnt/big disk/a', mounts: [root, spaced] },
    { folder: '/mnt', mounts: [root, spaced] },
  ],
  [
    'a mount that hides another',
    { folder: '/srv', mounts: [root, disk, '9 2 8:49 / /srv rw - ext4 /dev/sdd1 rw'] },
    { folder: '/srv', mounts: [root, disk] },
  ],
  [
    'two machines',
    { folder: '/srv', mounts: [root, disk], boot: 'one' },
    { folder: '/srv', mounts: [root, disk], boot: 'two' },
  ],
  [
    'two folders of a file server',
    { folder: '/nas', mounts: [root, nas('nas:/a')] },
    { folder: '/nas', mounts: [root, nas('nas:/b')] },
  ],
])('%s have two ids', (_what, one, other) => {
  expect(idOf(one)).toBeDefined()
  expect(idOf(one)).not.toBe(idOf(other))
})

test.each([[[]], [['']], [[disk]], [['not a mount']]])('without a mount of the folder there is none: %j', (mounts) => {
  expect(idOf({ folder: '/var', mounts })).toBeUndefined()
})

test.runIf(process.platform === 'linux')('a folder of this machine has one, a missing folder has none', async () => {
  expect(await diskId(tmpdir())).toMatch(/^[0-9a-f]{32}$/)
  expect(await diskId(join(tmpdir(), 'no such folder'))).toBeNull()
})
