import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { Readable, type Writable } from 'node:stream'
import { systemClock } from '../../shared/time/clock.ts'
import { lowerPriority } from '../../shared/priority.ts'
import { childMark } from './orphans.ts'
import { endWithService, forgetGroup, killGroup } from './process-group.ts'
import { ffmpegSandbox } from './sandbox.ts'
import { createStderrTail } from './stderr-tail.ts'

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
  /** Called after it wrote to its error output. */
  readonly onErrorOutput?: () => void
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
 * Starts ffmpeg, without a shell, in its own process group, in what there is of the {@link ffmpegSandbox}.
 *
 * The child inherits only the few environment variables it needs, and none of the service's secrets.
 */
export function startFfmpeg({
  program,
  args,
  extraPipes = 0,
  input,
  env,
  mask = (line) => line,
  onErrorOutput = () => {},
  grace = 300,
  nice,
}: FfmpegSpec): FfmpegChild {
  const pipes = Array.from({ length: extraPipes }, () => 'pipe' as const)
  const given = ['-hide_banner', '-loglevel', 'warning', ...(input ? [] : ['-nostdin']), ...args]
  const [first = program, ...rest] = [...ffmpegSandbox().command, program, ...given]
  const child = trySpawn(first, rest, {
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...pipes],
    env: { ...environment(), ...env, ...childMark() },
    cwd: '/',
    detached: true,
    shell: false,
  })
  if (child instanceof Promise) {
    if (input instanceof Readable) input.destroy()
    return unstarted(child)
  }
  const { pid, stdin } = child
  endWithService(pid)
  let gone = false
  const tail = createStderrTail()
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail.add(text)
    onErrorOutput()
  })
  const outputs = [child.stdout, ...child.stdio.slice(3)].filter((stream): stream is Readable => Boolean(stream))
  // The child's end reports a broken pipe; an unhandled error would end the service.
  for (const stream of outputs) stream.on('error', () => {})
  stdin?.on('error', () => {})
  if (stdin) feed(stdin, input ?? [])

  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      gone = true
      forgetGroup(pid)
      // Exit codes of the starting command if it cannot run ffmpeg.
      const isUnstarted = first !== program && (code === 126 || code === 127)
      const lines = [...tail.lines(mask), ...(isUnstarted ? [notStarted] : [])]
      resolve({ code: code ?? undefined, signal: signal ?? undefined, lines })
    })
  })
  if (nice) lowerPriority(pid)

  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    if (!gone) killGroup(pid, name)
  }
  return {
    pid,
    outputs,
    ended,
    stderrText: tail.matches,
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

const notStarted = 'ffmpeg could not be started'

type StartedProcess = ChildProcess & { readonly pid: number }

const isStarted = (child: ChildProcess): child is StartedProcess => child.pid !== undefined

/** @returns the error of the system if there is no child. Node throws some, such as ENOMEM, and emits others. */
function trySpawn(command: string, args: readonly string[], options: SpawnOptions): StartedProcess | Promise<unknown> {
  try {
    const child = spawn(command, args, options)
    return isStarted(child) ? child : new Promise((resolve) => child.once('error', resolve))
  } catch (error) {
    return Promise.resolve(error)
  }
}

function unstarted(failure: Promise<unknown>): FfmpegChild {
  const ended = failure.then((error) => ({
    code: undefined,
    signal: undefined,
    lines: [`${notStarted}: ${error instanceof Error ? error.message : String(error)}`],
  }))
  return { pid: undefined, outputs: [], ended, stderrText: () => false, stop: async () => void (await ended) }
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

function environment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'TZ', 'LANG', 'LD_LIBRARY_PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined))
}
