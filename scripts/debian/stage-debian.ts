import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { manPage } from './man-page.ts'
import type { Architecture } from './architectures.ts'
import { copyrightText } from './copyright.ts'
import { programFolder } from './stage-program.ts'

interface Stage {
  readonly root: string
  readonly stage: string
}

/** Files of `packaging/debian`, where they are installed, and whether they are run. */
const installed: readonly (readonly [file: string, target: string, mode: number])[] = [
  ['gatehouse', 'usr/bin/gatehouse', 0o755],
  ['gatehouse.service', 'usr/lib/systemd/system/gatehouse.service', 0o644],
  ['default', 'etc/default/gatehouse', 0o644],
  ['lintian-overrides', 'usr/share/lintian/overrides/gatehouse', 0o644],
]

/** The command, the unit and the folders of the configuration. */
export function stageFolders({ root, stage }: Stage): void {
  for (const [file, target, mode] of installed) {
    const path = join(stage, target)
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(join(root, 'packaging/debian', file), path)
    chmodSync(path, mode)
  }
  mkdirSync(join(stage, 'etc/gatehouse/credentials'), { recursive: true })
  // The service replaces the file, and keeps the database and secrets next to it, so it can't be in /etc itself.
  symlinkSync('/var/lib/gatehouse/config/config.yml', join(stage, 'etc/gatehouse/config.yml'))
}

interface Docs extends Stage {
  readonly version: string
  /** Unix seconds. */
  readonly epoch: number
}

/** Manual page, changelogs and licenses. */
export function stageDocs({ root, stage, version, epoch }: Docs): void {
  const time = new Date(epoch * 1000)
  const write = (path: string, content: string | Uint8Array) => {
    const target = join(stage, 'usr/share', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  const page = manPage({ version, date: time.toISOString().slice(0, 10) })
  write('man/man1/gatehouse.1.gz', packed(page))
  write('doc/gatehouse/changelog.gz', packed(readFileSync(join(root, 'CHANGELOG.md'))))
  write('doc/gatehouse/changelog.Debian.gz', packed(debianChangelog(version, time)))
  write('doc/gatehouse/copyright', copyrightText(root, join(stage, programFolder, 'node_modules')))
}

const packed = (content: string | Uint8Array): Uint8Array => gzipSync(content, { level: 9 })

const maintainer = 'The Gatehouse authors <gatehouse@users.noreply.github.com>'

const debianChangelog = (version: string, time: Date): string =>
  `gatehouse (${version}) unstable; urgency=medium

  * See changelog.gz for the changes of this version.

 -- ${maintainer}  ${time.toUTCString().replace('GMT', '+0000')}
`

interface Control extends Stage {
  readonly architecture: Architecture
  readonly version: string
}

/** `DEBIAN`: control file, maintainer scripts, list of configuration files, checksums. */
export function stageControl({ root, stage, architecture, version }: Control): void {
  const sources = join(root, 'packaging/debian')
  const files = readdirSync(stage, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(stage, path)).isFile())
    .toSorted()
  const kibibytes = files.reduce((sum, path) => sum + Math.ceil(lstatSync(join(stage, path)).size / 1024), 0)
  const values = new Map([
    ['VERSION', version],
    ['ARCHITECTURE', architecture],
    ['MAINTAINER', maintainer],
    ['INSTALLED_SIZE', String(kibibytes)],
  ])
  const target = join(stage, 'DEBIAN')
  mkdirSync(target)
  const scripts = ['preinst', 'postinst', 'prerm', 'postrm']
  for (const name of ['control', ...scripts]) {
    const text = readFileSync(join(sources, name), 'utf8').replaceAll(/@([A-Z_]+)@/g, (_, key: string) => {
      const value = values.get(key)
      if (value === undefined) throw new Error(`packaging/debian/${name}: no value for @${key}@`)
      return value
    })
    writeFileSync(join(target, name), text)
    chmodSync(join(target, name), name === 'control' ? 0o644 : 0o755)
  }
  writeFileSync(join(target, 'conffiles'), '/etc/default/gatehouse\n')
  const sums = files.map((path) => `${md5(readFileSync(join(stage, path)))}  ${path}\n`)
  writeFileSync(join(target, 'md5sums'), sums.join(''))
}

const md5 = (content: Uint8Array): string => createHash('md5').update(content).digest('hex')
