import { createHash } from 'node:crypto'
import { readFile, realpath } from '../shared/storage/media-disk.ts'

/** File systems of a server, which several machines mount. */
const network: ReadonlyMap<string, string> = new Map([
  ['nfs', 'nfs'],
  ['nfs4', 'nfs'],
  ['cifs', 'smb'],
  ['smb3', 'smb'],
  ['ceph', 'ceph'],
  ['fuse.glusterfs', 'glusterfs'],
])

/** What says on which disk a folder is. */
export interface DiskFacts {
  /** Absolute, without links. */
  readonly folder: string
  /** Text of `/proc/self/mountinfo`. */
  readonly mounts: string
  /** Unique to the running system, containers included. */
  readonly boot: string
}

/**
 * Identifies the file system under a folder, so that instances on one machine, or with one file server, can tell that
 * they use the same one. It's a hash, which shows neither the machine nor the server.
 *
 * @returns undefined if no mount contains the folder
 */
export function diskIdFrom({ folder, mounts, boot }: DiskFacts): string | undefined {
  const found = mounts
    .split('\n')
    .flatMap((line) => mountFrom(line) ?? [])
    .filter(({ point }) => point === '/' || folder === point || folder.startsWith(`${point}/`))
    // Of two mounts at one place, the later one hides the earlier one.
    .reduce<Mount | undefined>((deepest, mount) => {
      return deepest && deepest.point.length > mount.point.length ? deepest : mount
    }, undefined)
  if (!found) return undefined
  const server = network.get(found.type)
  const place = server === undefined ? [boot, found.device] : [server, found.source]
  return createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 32)
}

/** The same, of this system; null if it doesn't say, as outside Linux. */
export async function diskId(folder: string): Promise<string | null> {
  const [path, mounts, boot] = await Promise.all([
    realpath(folder),
    textOf('/proc/self/mountinfo'),
    textOf('/proc/sys/kernel/random/boot_id'),
  ]).catch(() => [])
  if (path === undefined || mounts === undefined || boot === undefined) return null
  return diskIdFrom({ folder: path, mounts, boot: boot.trim() }) ?? null
}

const textOf = async (file: string): Promise<string> => (await readFile(file)).toString()

interface Mount {
  readonly point: string
  /** Major and minor number of the device; the same for all subvolumes of Btrfs. */
  readonly device: string
  readonly type: string
  /** Such as `/dev/sda1` or `server:/folder`. */
  readonly source: string
}

/** See proc_pid_mountinfo(5). Optional fields end with a hyphen. */
function mountFrom(line: string): Mount | undefined {
  const [own = '', other = ''] = line.split(' - ')
  const [, , device, , point] = own.split(' ')
  const [type, source] = other.split(' ')
  if (device === undefined || point === undefined || type === undefined || source === undefined) return undefined
  return { point: unescaped(point), device, type, source: unescaped(source) }
}

/** Spaces and line breaks are octal numbers. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
