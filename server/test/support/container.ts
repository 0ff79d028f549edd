import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { stringify } from 'yaml'
import type { Image } from '../../../scripts/image/oci-layout.ts'
import { onTestFinishedOrLater } from './cleanups.ts'
import { freePort } from './free-port.ts'
import { client, type TestClient } from './test-client.ts'
import { wait } from './wait.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Unpacks the layers of an image. @returns the folder */
export function unpackImage({ layers }: Image): string {
  const root = temporaryFolder()
  for (const { bytes } of layers) {
    const { status } = spawnSync('tar', ['--extract', '--numeric-owner', '--directory', root], {
      input: gunzipSync(bytes),
    })
    if (status !== 0) throw new Error('A layer could not be unpacked.')
  }
  return root
}

/** Mounts what a container has: nothing can be written but the folders of configuration, recordings and options. */
const mounts = `set -e
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -o remount,bind,ro "$1"
mount --bind "$2/config" "$1/config"
mount --bind "$2/media" "$1/media"
mount --bind "$2/data" "$1/run"
shift 2
exec env --ignore-environment "$@"`

interface Settings {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export interface Container {
  readonly gate: TestClient
  readonly internal: TestClient
  readonly output: () => string
  /** Runs a program in the image, outside of the running service. @returns its exit status and output */
  run(...command: readonly string[]): { readonly status: number | null; readonly text: string }
  /** Runs the image's health check. @returns its exit status */
  health(): number | null
  /** Processes in it, as their numbers on this machine. */
  processes(): number[]
  /** Sends SIGTERM to its first process. @returns the exit status */
  stop(): Promise<number | null>
}

export interface ContainerOptions {
  /** Additional variables. */
  readonly env?: readonly string[]
  /** Writes files into the folder before the start; its `data` is at /run. */
  readonly prepare?: (folder: string) => void
}

/**
 * Runs an image as a container engine does, except for the network: its first process, its user and its environment,
 * with a root file system that can't be written.
 */
export async function startContainer(
  root: string,
  image: Image,
  config: Readonly<Record<string, object>>,
  { env = [], prepare = () => undefined }: ContainerOptions = {},
): Promise<Container & { readonly folder: string }> {
  const { User, Env, Entrypoint, Cmd, Healthcheck } = image.config as unknown as Settings
  const folder = temporaryFolder()
  const [gatePort, internalPort] = [await freePort(), await freePort()]
  const [uid = 0] = User.split(':').map(Number)
  for (const name of ['config', 'media', 'data']) {
    mkdirSync(join(folder, name))
    chownSync(join(folder, name), uid, uid)
  }
  const networking = { gate: { port: gatePort, host: '127.0.0.1' }, internal: { port: internalPort } }
  writeFileSync(join(folder, 'config/config.yml'), stringify({ networking, ...config }))
  prepare(folder)
  const variables = [...Env, ...env]
  const mounted = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts, 'sh', root, folder]
  const inside = (command: readonly string[]) => [
    ...mounted,
    ...variables,
    chroot,
    `--userspec=${User}`,
    root,
    ...command,
  ]
  const child = spawn('unshare', inside([...Entrypoint, ...Cmd]), { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  onTestFinishedOrLater(() => ended(child, 'SIGKILL'))
  const internal = client(internalPort, 'http', {})
  await responds(internal, () => output, child)
  return {
    folder,
    internal,
    gate: client(gatePort, 'https', {}),
    output: () => output,
    run(...command) {
      const { status, stdout, stderr } = spawnSync('unshare', inside(command), { encoding: 'utf8' })
      return { status, text: stdout + stderr }
    },
    health: () => spawnSync('unshare', inside(atPort(Healthcheck.Test.slice(1), internalPort))).status,
    processes: () => descendantsOf(child.pid!),
    async stop() {
      const [first] = childrenOf(child.pid!)
      process.kill(first!, 'SIGTERM')
      return ended(child)
    },
  }
}

const chroot = '/usr/sbin/chroot'

/** The check asks the port that a container has for itself. */
const atPort = (test: readonly string[], port: number): string[] =>
  test.map((part) => part.replace('5000', String(port)))

async function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  if (signal) child.kill(signal)
  await exit
  return child.exitCode
}

async function responds(at: TestClient, output: () => string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    const answers = await at.get('/api/health').then(
      ({ status }) => status === 200,
      () => false,
    )
    if (answers) return
    await wait(100, 'the container is another process')
  }
  throw new Error(`The container does not respond:\n${output()}`)
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
