import { spawnSync } from 'node:child_process'
import type { Architecture } from '../debian/architectures.ts'

/** Packages of Debian: for video, for the limits of ffmpeg, for the command and its shell, and to end children. */
const packages = ['ffmpeg', 'util-linux', 'dash', 'coreutils', 'tini', 'libstdc++6', 'libatomic1', 'ca-certificates']

const suite = 'trixie'
const sources = [
  `deb http://deb.debian.org/debian ${suite} main`,
  `deb http://deb.debian.org/debian ${suite}-updates main`,
  `deb http://deb.debian.org/debian-security ${suite}-security main`,
]

/** Keeps what the packages say about themselves, and their lists of files, before mmdebstrap deletes them. */
const keepDescriptions = `for deb in "$1"/var/cache/apt/archives/*.deb; do
  info="$1/var/lib/dpkg/info/$(basename "$deb" .deb)"
  dpkg-deb --field "$deb" >"$info.control"
  dpkg-deb --fsys-tarfile "$deb" | tar --list >"$info.list"
done`

/**
 * Downloads and unpacks Debian's packages without running anything of them, so any machine can do it for any
 * architecture.
 *
 * @throws Error if mmdebstrap is missing or fails
 */
export function downloadDebian(architecture: Architecture, folder: string): void {
  const { status, stderr, error } = spawnSync(
    'mmdebstrap',
    [
      '--variant=extract',
      '--format=directory',
      `--architectures=${architecture}`,
      `--include=${packages.join(',')}`,
      '--keyring=/usr/share/keyrings/debian-archive-keyring.gpg',
      '--dpkgopt=path-exclude=/usr/share/man/*',
      '--dpkgopt=path-exclude=/usr/share/locale/*',
      `--extract-hook=${keepDescriptions}`,
      suite,
      folder,
      ...sources,
    ],
    { encoding: 'utf8' },
  )
  if (error) throw new Error('mmdebstrap is missing: `apt-get install mmdebstrap`.', { cause: error })
  if (status !== 0) throw new Error(`mmdebstrap failed: ${stderr}`)
}
