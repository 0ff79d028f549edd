import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
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
import { systemClock } from '../../src/shared/time/clock.ts'
import {
  architecture,
  downloads,
  hasNamespaces,
  isEmulated,
  namespaces,
  reachesMirror,
  runsArchitecture,
  skipLoudly,
} from './debian-mirror.ts'
import { program } from './programs.ts'
import { wait } from './wait.ts'

const suite = 'bookworm'
/** What the package depends on, so that it can be installed without a network, and what the tests use. */
const included = [
  'adduser',
  'ca-certificates',
  'curl',
  'ffmpeg',
  'init-system-helpers',
  'iproute2',
  'man-db',
  'systemd',
  'systemd-sysv',
]

/** A clean Debian: a folder, with its own processes, mounts and network. */
export interface DebianMachine {
  readonly root: string
  /** Runs a shell command as root, to its end. */
  run(command: string): MachineResult
  /** Starts a shell command as root. */
  start(command: string): ChildProcess
  /** Copies a file into `/root` of the machine, and returns its path there. */
  copy(file: string): string
  stop(): Promise<void>
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

/** A machine that is not booted: it runs nothing but what it is told to. */
export async function makeMachine(): Promise<DebianMachine> {
  const root = makeRoot()
  const prepare = 'mount -t proc proc /proc && ip link set lo up && echo ready && exec sleep infinity'
  const holder = spawn('unshare', [...namespaces, 'chroot', root, 'sh', '-c', prepare], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((ready, failed) => {
    holder.stdout.once('data', () => ready())
    holder.once('exit', () => failed(new Error('unshare failed: namespaces cannot be made here')))
  })
  return machineIn(root, holder, () => childOf(holder.pid))
}

/** A machine on which systemd runs; undefined, with a loud line, if it can't be booted here. */
export async function bootMachine(): Promise<DebianMachine | undefined> {
  const nspawn = program('systemdNspawn')
  if (nspawn === undefined) return undefined
  if (isEmulated) {
    skipLoudly('the tests of the package under systemd are', 'an emulated systemd cannot pass credentials to a service')
    return undefined
  }
  const root = makeRoot()
  const options = ['--register=no', '--keep-unit', '--private-network', '--resolv-conf=off', '--timezone=off']
  // Without its own processes, what is booted would outlive a program that is killed.
  const alone = ['--pid', '--fork', '--kill-child', '--mount-proc']
  const holder = spawn(
    'unshare',
    [...alone, nspawn, '--quiet', '--boot', '--directory', root, '--console=pipe', ...options],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let output = ''
  holder.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const inside = () => childOf(childOf(holder.pid))
  const machine = machineIn(root, holder, inside)
  const isUp = () =>
    inside() !== undefined && /^(?:running|degraded)/.test(machine.run('systemctl is-system-running').output)
  const until = systemClock.elapsed() + 120_000
  while (holder.exitCode === null && systemClock.elapsed() < until) {
    if (isUp()) return machine
    await wait(200, 'it boots, in a process that reports nothing')
  }
  await machine.stop()
  skipLoudly('the tests of the package under systemd are', `systemd doesn't boot in a container here: ${output}`)
  return undefined
}

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-debian-'))
  succeed('tar', ['-xf', cachedRoot(), '-C', root])
  // Packages don't have to survive a power failure.
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/fast'), 'force-unsafe-io\n')
  return root
}

/** The first child of a process. */
function childOf(pid: number | undefined): number | undefined {
  const list = `/proc/${pid}/task/${pid}/children`
  const [first] = existsSync(list) ? readFileSync(list, 'utf8').split(' ') : []
  return first ? Number(first) : undefined
}

/** @param inside the process 1 of the machine, by its number outside */
function machineIn(root: string, holder: ChildProcess, inside: () => number | undefined): DebianMachine {
  const ended = once(holder, 'exit')
  const enter = (command: string) => {
    const first = inside()
    if (first === undefined) throw new Error('the machine has not started')
    const spaces = ['--mount', '--net', '--pid', '--ipc', '--uts', '--cgroup', '--root']
    return ['--target', String(first), ...spaces, 'sh', '-c', `cd /; ${command}`]
  }
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
      const path = `/root/${basename(file)}`
      copyFileSync(file, join(root, path))
      return path
    },
    async stop() {
      holder.kill('SIGKILL')
      await ended
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
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
      // `runsArchitecture` has looked, without its own program.
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
