import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  architecture,
  downloads,
  hasNamespaces,
  namespaces,
  reachesMirror,
  runsArchitecture,
  skipLoudly,
} from './debian-mirror.ts'
import { program } from './programs.ts'

const suite = 'bookworm'
/** What the package depends on, so that it can be installed without a network, and what the tests use. */
const included = ['adduser', 'ca-certificates', 'curl', 'ffmpeg', 'init-system-helpers', 'iproute2', 'man-db']

/** A clean Debian that is not booted: a folder, with processes, mounts and a network of its own. */
export interface DebianMachine {
  readonly root: string
  /** Runs a shell command as root, to its end. */
  run(command: string): MachineResult
  /** Starts a shell command as root. */
  start(command: string): ChildProcess
  /** Copies a file into `/tmp` of the machine, and returns its path there. */
  copy(file: string): string
  stop(): void
}

export interface MachineResult {
  readonly status: number | null
  /** Standard output and errors. */
  readonly output: string
}

/** Whether such a machine can be made here: it needs root, and a mirror of Debian the first time. */
export const canMakeMachine = await canMake()

async function canMake(): Promise<boolean> {
  if (program('mmdebstrap') === undefined) return false
  if (hasNamespaces && runsArchitecture && (existsSync(cacheFile()) || (await reachesMirror()))) return true
  skipLoudly('the tests on a clean Debian are', 'a Debian needs root, a mirror, and a processor of its kind')
  return false
}

export async function makeMachine(): Promise<DebianMachine> {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-debian-'))
  succeed('tar', ['-xf', cachedRoot(), '-C', root])
  // Packages don't have to survive a power failure.
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/fast'), 'force-unsafe-io\n')
  const prepare = 'mount -t proc proc /proc && ip link set lo up && echo ready && exec sleep infinity'
  const holder = spawn('unshare', [...namespaces, 'chroot', root, 'sh', '-c', prepare], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((ready, failed) => {
    holder.stdout.once('data', () => ready())
    holder.once('exit', () => failed(new Error('unshare failed: namespaces cannot be made here')))
  })
  const [inside = ''] = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').split(' ')
  const enter = (command: string) =>
    [
      '--target',
      inside,
      '--mount',
      '--net',
      '--pid',
      '--ipc',
      '--uts',
      '--root',
      'sh',
      '-c',
      `cd /; ${command}`,
    ] as const
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
  }
  return {
    root,
    run(command) {
      const { status, stdout } = spawnSync('nsenter', enter(`exec 2>&1; ${command}`), { encoding: 'utf8', env })
      return { status, output: stdout }
    },
    start: (command) => spawn('nsenter', enter(command), { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    copy(file) {
      const path = `/tmp/${basename(file)}`
      copyFileSync(file, join(root, path))
      return path
    },
    stop() {
      holder.kill('SIGKILL')
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function cacheFile(): string {
  const key = createHash('sha256')
    .update([suite, architecture, ...included].join())
    .digest('hex')
    .slice(0, 12)
  return join(downloads, `debian-${key}.tar`)
}

/** The files of the machine, made once by mmdebstrap. */
function cachedRoot(): string {
  const file = cacheFile()
  if (existsSync(file)) return file
  mkdirSync(downloads, { recursive: true })
  const draft = `${file}.${process.pid}.tar`
  try {
    succeed('mmdebstrap', [
      '--variant=minbase',
      `--architectures=${architecture}`,
      // `runsArchitecture` has looked, without a program of its own.
      '--skip=check/qemu',
      `--include=${included.join()}`,
      '--quiet',
      suite,
      draft,
    ])
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  return file
}

function succeed(name: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(name, args, { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
}
