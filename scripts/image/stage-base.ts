import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Architecture } from '../debian/architectures.ts'
import { neededFiles } from './needed-files.ts'

/** Debian's name of an architecture for folders, and the program that the kernel starts to load libraries. */
const platforms = {
  amd64: { triplet: 'x86_64-linux-gnu', loader: 'usr/lib64/ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'usr/lib/ld-linux-aarch64.so.1' },
} as const satisfies Record<Architecture, object>

/** Programs that the image has. The others of their packages stay out, so that a break-in finds no tools. */
const programs = ['ffmpeg', 'setpriv', 'prlimit', 'dash', 'readlink', 'true', 'tini'].map((name) => `/usr/bin/${name}`)

/** Libraries that Node.js needs, which comes from npm; the C library loads the last one while it runs. */
const libraries = ['libstdc++.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'libatomic.so.1', 'libgcc_s.so.1']

/** The user of the image. Not root, and of the same number as the first user of most machines. */
export const imageUser = 1000

/**
 * Copies what the image needs of Debian's packages: the programs, the libraries that they load, certificates, and the
 * licenses and descriptions of these packages, which vulnerability scanners read.
 */
export function stageBase(debian: string, stage: string, architecture: Architecture): void {
  const { triplet, loader } = platforms[architecture]
  const own = `/usr/lib/${triplet}`
  const roots = [...programs, ...libraries.map((name) => `${own}/${name}`)]
  const needed = neededFiles(debian, roots, [own, ...['blas', 'lapack', 'pulseaudio'].map((name) => `${own}/${name}`)])
  for (const { path, file } of needed) {
    // Debian links these to a folder that the loader searches, while it installs packages.
    copyTo(file, join(stage, path.replace(/\/(?:blas|lapack|pulseaudio)\//, '/')))
  }
  copyTo(join(debian, own, basename(loader)), join(stage, own, basename(loader)))
  for (const folder of new Set(['bin', 'lib', 'sbin', basename(dirname(loader))]))
    linkTo(`usr/${folder}`, join(stage, folder))
  linkTo(join('/', own, basename(loader)), join(stage, loader))
  linkTo('dash', join(stage, 'usr/bin/sh'))
  describePackages(debian, stage, [...needed.map(({ path }) => path), '/usr/share/ca-certificates/mozilla/'])
  writeSystemFiles(debian, stage)
}

const copyTo = (file: string, target: string): void => {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(file, target, { dereference: true })
}

function linkTo(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** The path of a line of a package's list. Packages for older systems say `./lib` for `/usr/lib`. */
const installedPath = (line: string): string => line.replace(/^\.\/lib\//, '/usr/lib/').replace(/^\.\//, '/')

/** The licenses and descriptions of the packages of these files. */
function describePackages(debian: string, stage: string, paths: readonly string[]): void {
  const staged = new Set(paths)
  const info = join(debian, 'var/lib/dpkg/info')
  for (const list of globSync('*.list', { cwd: info })) {
    const files = readFileSync(join(info, list), 'utf8').split('\n')
    if (!files.some((line) => staged.has(installedPath(line)))) continue
    const name = list.slice(0, list.indexOf('_'))
    const control = readFileSync(join(info, list.replace(/list$/, 'control')), 'utf8')
    const described = join(stage, 'var/lib/dpkg/status.d', name)
    mkdirSync(dirname(described), { recursive: true })
    writeFileSync(described, control.replace(/^(?=Version: )/m, 'Status: install ok installed\n'))
    const license = join('usr/share/doc', name, 'copyright')
    copyTo(join(debian, license), join(stage, license))
  }
}

/** Users, certificates, and the folders that are written. */
function writeSystemFiles(debian: string, stage: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    writeFileSync(join(stage, path), text)
  }
  const id = `${imageUser}:${imageUser}`
  write('etc/passwd', `root:x:0:0:root:/root:/usr/bin/sh\ngatehouse:x:${id}:Gatehouse:/config:/usr/bin/sh\n`)
  write('etc/group', `root:x:0:\ngatehouse:x:${imageUser}:\n`)
  write('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n')
  write(
    'etc/os-release',
    'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nNAME="Debian GNU/Linux"\nVERSION_ID="13"\nVERSION_CODENAME=trixie\nID=debian\n',
  )
  const certificates = globSync('usr/share/ca-certificates/mozilla/*.crt', { cwd: debian }).toSorted()
  write(
    'etc/ssl/certs/ca-certificates.crt',
    certificates.map((file) => readFileSync(join(debian, file), 'utf8')).join(''),
  )
  for (const folder of ['config', 'media', 'proc', 'dev', 'sys', 'root', 'run']) {
    mkdirSync(join(stage, folder), { recursive: true })
  }
  mkdirSync(join(stage, 'tmp'))
  // As everywhere, any user can add files, and only their owner removes them. The umask doesn't apply to this.
  chmodSync(join(stage, 'tmp'), 0o1777)
}
