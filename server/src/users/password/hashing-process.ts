import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { ServiceError } from '../../shared/errors.ts'
import { systemClock, type StopTimer } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import { lowerPriority } from '../../shared/priority.ts'
import type { Derivation, Derive } from './derive.ts'
import { isHashingResponse, type HashingRequest } from './hashing-messages.ts'
import type { UserReasons } from '../reasons.ts'

/** Max characters of the process's error output kept for the log. */
const tailSize = 2048

export interface HashingProcessDeps {
  /** Max concurrent derivations, the number of threads of the process. */
  readonly concurrency: number
  readonly log: Log
  /** Milliseconds without work after which the process is ended. */
  readonly idle?: number
  /** Milliseconds after which a derivation without a response fails and the process is killed. */
  readonly timeout?: number
  /** The path of the program to run. */
  readonly program?: string
}

/** Derives keys in a process with lower priority, so that hashing never delays requests (design/0017). */
export interface HashingProcess {
  /**
   * Starts the process if it isn't running. A derivation lost with a dying process is retried once in a new process.
   *
   * @throws ServiceError `unavailable`
   */
  readonly derive: Derive
  /** Ends the process for good. Resolves when the process has ended. */
  stop(): Promise<void>
}

export function createHashingProcess({
  concurrency,
  log,
  idle = 60_000,
  timeout = 60_000,
  program = join(import.meta.dirname, 'hashing-child.ts'),
}: HashingProcessDeps): HashingProcess {
  let current: Hasher | undefined
  let stopIdleTimer: StopTimer | undefined
  let stopped = false

  const end = async (): Promise<void> => {
    stopIdleTimer?.()
    const ending = current
    current = undefined
    await ending?.end()
  }

  const attempt = async (derivation: Derivation): Promise<Buffer> => {
    if (stopped) throw new Error('the service is stopping')
    stopIdleTimer?.()
    if (!current?.alive()) current = startHasher({ program, threads: concurrency, timeout, log })
    const hasher = current
    try {
      return await hasher.derive(derivation)
    } finally {
      if (hasher === current && hasher.unanswered() === 0) {
        stopIdleTimer?.()
        stopIdleTimer = systemClock.after(idle, () => void end())
      }
    }
  }

  return {
    async derive(derivation) {
      try {
        return await attempt(derivation).catch(() => attempt(derivation))
      } catch (cause) {
        throw new ServiceError<UserReasons>('unavailable', {
          reason: 'no-password-check',
          retryAfter: 5,
          cause,
        })
      }
    },
    stop() {
      stopped = true
      return end()
    },
  }
}

/** One run of the hashing process. */
interface Hasher {
  /** Rejects if the process ends or does not respond in time. */
  readonly derive: Derive
  alive(): boolean
  unanswered(): number
  /** Resolves when the process has ended. */
  end(): Promise<void>
}

interface HasherDeps {
  readonly program: string
  readonly threads: number
  readonly timeout: number
  readonly log: Log
}

function startHasher({ program, threads, timeout, log }: HasherDeps): Hasher {
  const child = forkHasher(program, threads)
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>()
  const closed = Promise.withResolvers<void>()
  let nextId = 0
  let ending = false
  let tail = ''

  const lost = (cause: object): void => {
    if (!ending) log.warn({ ...cause, ...(tail && { stderr: tail }) }, 'password hashing process ended unexpectedly')
    ending = true
    for (const { reject } of waiting.values()) reject(new Error('password hashing process ended', { cause }))
    waiting.clear()
    closed.resolve()
  }
  const kill = (): void => void child.kill('SIGKILL')

  child.stderr?.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-tailSize)))
  child.stderr?.on('error', () => {})
  child.on('message', (message: unknown) => {
    if (!isHashingResponse(message)) return
    waiting.get(message.id)?.resolve(Buffer.from(message.derived, 'base64'))
    waiting.delete(message.id)
  })
  child.once('close', (code, signal) => lost({ exit_code: code, signal }))
  // Emitted if the process could not be started.
  child.on('error', (error) => lost({ err: error }))

  return {
    alive: () => !ending && child.connected,
    unanswered: () => waiting.size,
    async derive(derivation) {
      const id = nextId++
      const answered = Promise.withResolvers<Buffer>()
      waiting.set(id, answered)
      const stopTimer = systemClock.after(timeout, () => {
        log.warn({ timeout_seconds: timeout / 1000 }, 'password hashing process timed out')
        kill()
      })
      const request: HashingRequest = { id, ...derivation }
      // One that could not be started has no channel, and says so in its error.
      if (child.connected) child.send(request, (error) => void (error && kill()))
      return answered.promise.finally(stopTimer)
    },
    async end() {
      ending = true
      kill()
      await closed.promise
    },
  }
}

/** Forks without the service's environment, which contains secrets. Same process group, so the same share of cores. */
function forkHasher(program: string, threads: number): ChildProcess {
  const { LD_LIBRARY_PATH } = process.env
  const child = fork(program, [], {
    execArgv: [],
    env: { UV_THREADPOOL_SIZE: String(threads), ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}
