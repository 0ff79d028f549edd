import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { architectures, type Architecture } from '../debian/architectures.ts'
import { programFolder, stageProgram } from '../debian/stage-program.ts'
import { downloadDebian } from './debian.ts'
import { layerOf, type Image, type RunSettings } from './oci-layout.ts'
import { imageUser, stageBase } from './stage-base.ts'

export interface ImageDeps {
  /** The checkout. Its web UI must be built. */
  readonly root: string
  readonly architecture: Architecture
  /** Unix seconds: the time of all files. */
  readonly epoch: number
  /** A folder with unpacked packages of Debian; downloaded if it doesn't exist. */
  readonly debian: string
  /** How much the layers are compressed, 1 to 9. */
  readonly level?: number
}

/**
 * Builds the image of an architecture, and the one for Home Assistant, which differs only in how it starts.
 *
 * @throws Error that names the program that is missing or failed
 */
export function buildImages({ root, architecture, epoch, debian, level = 6 }: ImageDeps): Image[] {
  if (!existsSync(debian)) {
    mkdirSync(dirname(debian), { recursive: true })
    // Another build on this machine may download it as well.
    const own = mkdtempSync(`${debian}.partial-`)
    try {
      downloadDebian(architecture, join(own, 'root'))
      if (!existsSync(debian)) renameSync(join(own, 'root'), debian)
    } finally {
      rmSync(own, { recursive: true, force: true })
    }
  }
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
  try {
    const [base, node, program] = ['base', 'node', 'program'].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ]
    stageBase(debian, base, architecture)
    stageProgram({ root, stage: program, architecture })
    cpSync(join(root, 'packaging/home-assistant'), join(program, programFolder, 'packaging/home-assistant'), {
      recursive: true,
    })
    linkCommands(program, architecture)
    // Node.js changes less often than the program: an update downloads only the last layer.
    const nodeFolder = join(programFolder, `node_modules/node-linux-${architectures[architecture]}`)
    mkdirSync(dirname(join(node, nodeFolder)), { recursive: true })
    renameSync(join(program, nodeFolder), join(node, nodeFolder))
    const layers = [
      layerOf(base, epoch, level, { user: imageUser, folders: ['config', 'media'] }),
      layerOf(node, epoch, level),
      layerOf(program, epoch, level),
    ]
    const labels = labelsOf(root)
    return [
      {
        tag: 'latest',
        architecture,
        layers,
        config: { ...settings, User: `${imageUser}:${imageUser}`, Labels: labels },
      },
      { tag: 'home-assistant', architecture, layers, config: { ...settings, ...asAddOn, Labels: labels } },
    ]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function linkCommands(stage: string, architecture: Architecture): void {
  const bin = join(stage, 'usr/bin')
  mkdirSync(bin, { recursive: true })
  const node = `node_modules/node-linux-${architectures[architecture]}/bin/node`
  symlinkSync(join('/', programFolder, node), join(bin, 'node'))
  symlinkSync(join('/', programFolder, 'server/bin/gatehouse.mjs'), join(bin, 'gatehouse'))
}

/** Asks the internal port, which only this container reaches. */
const health = "fetch('http://127.0.0.1:5000/api/health').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"

/** Seconds, as Docker counts them. */
const nanoseconds = (seconds: number): number => seconds * 1e9

const settings: RunSettings = {
  Env: ['PATH=/usr/bin', 'CONFIG_DIR=/config', 'MEDIA_DIR=/media', 'MALLOC_ARENA_MAX=2'],
  // Passes signals to the service, and ends what remains of children whose parent has ended. No shell in between.
  Entrypoint: ['/usr/bin/tini', '--'],
  Cmd: ['/usr/bin/node', `/${programFolder}/server/start.mjs`],
  ExposedPorts: { '8971/tcp': {} },
  Volumes: { '/config': {}, '/media': {} },
  WorkingDir: '/',
  StopSignal: 'SIGTERM',
  Healthcheck: {
    Test: ['CMD', '/usr/bin/node', '-e', health],
    Interval: nanoseconds(60),
    Timeout: nanoseconds(10),
    StartPeriod: nanoseconds(60),
    Retries: 3,
  },
}

/** The supervisor's folders belong to root: the start gives them to the image's user, and becomes that user. */
const asAddOn: RunSettings = {
  User: '0:0',
  Cmd: ['/usr/bin/node', `/${programFolder}/packaging/home-assistant/start.mjs`],
}

function labelsOf(root: string): Readonly<Record<string, string>> {
  const read = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<Record<string, string>>
  const { version = '', description = '', license = '' } = read
  return {
    'org.opencontainers.image.title': 'Gatehouse',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.base.name': 'debian:trixie',
  }
}
