import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { ServiceError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { lowerPriority } from '../../shared/priority.ts'
import type { Derivation, Derive } from './derive.ts'
import { isHashingAnswer, type HashingRequest } from './hashing-messages.ts'

/** Bytes of its error output that are kept for the log. */
const tailSize = 2048

export interface HashingProcessDeps {
  /** How many derivations run at once: threads of the process. */
  readonly concurrency: number
  readonly log: Log
  /** Milliseconds without work after which the process is ended. */
  readonly idle?: number
  /** Milliseconds after which a derivation without an answer is given up, and the process with it. */
  readonly timeout?: number
  /** What it runs. */
  readonly program?: string
}

/** Derives in a process of lower priority, so that requests never wait for a core that hashes (design/0017). */
export interface HashingProcess {
  /**
   * Starts the process where it does not run. What is lost with a process that dies is tried once more in a new one.
   *
   * @throws ServiceError `unavailable`
   */
  readonly derive: Derive
  /** Ends the process; nothing is derived afterwards. @returns once it is gone. */
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
  let resting: NodeJS.Timeout | undefined
  let stopped = false

  const end = async (): Promise<void> => {
    clearTimeout(resting)
    const ending = current
    current = undefined
    await ending?.end()
  }

  const attempt = async (derivation: Derivation): Promise<Buffer> => {
    if (stopped) throw new Error('the service is stopping')
    clearTimeout(resting)
    if (!current?.alive()) current = startHasher({ program, threads: concurrency, timeout, log })
    const hasher = current
    try {
      return await hasher.derive(derivation)
    } finally {
      if (hasher === current && hasher.unanswered() === 0) {
        clearTimeout(resting)
        resting = setTimeout(() => void end(), idle).unref()
      }
    }
  }

  return {
    async derive(derivation) {
      try {
        return await attempt(derivation).catch(() => attempt(derivation))
      } catch (cause) {
        throw new ServiceError('unavailable', 'Passwords cannot be checked at the moment. Try again.', {
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
  /** Rejects where the process ends, or does not answer in time. */
  readonly derive: Derive
  alive(): boolean
  unanswered(): number
  /** @returns once it is gone. */
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
  const gone = Promise.withResolvers<void>()
  let nextId = 0
  let ending = false
  let tail = ''

  const lost = (why: object): void => {
    if (!ending) log.warn({ ...why, ...(tail && { stderr: tail }) }, 'the password hashing process ended unexpectedly')
    ending = true
    for (const { reject } of waiting.values()) reject(new Error('the password hashing process ended', { cause: why }))
    waiting.clear()
    gone.resolve()
  }
  const kill = (): void => void child.kill('SIGKILL')

  child.stderr?.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-tailSize)))
  child.stderr?.on('error', () => {})
  child.on('message', (message: unknown) => {
    if (!isHashingAnswer(message)) return
    waiting.get(message.id)?.resolve(Buffer.from(message.derived, 'base64'))
    waiting.delete(message.id)
  })
  child.once('close', (code, signal) => lost({ code, signal }))
  // It could not be started.
  child.on('error', (error) => lost({ err: error }))

  return {
    alive: () => !ending && child.connected,
    unanswered: () => waiting.size,
    async derive(derivation) {
      const id = nextId++
      const answered = Promise.withResolvers<Buffer>()
      waiting.set(id, answered)
      const late = setTimeout(() => {
        log.warn({ milliseconds: timeout }, 'the password hashing process did not answer in time')
        kill()
      }, timeout)
      const request: HashingRequest = { id, ...derivation }
      child.send(request, (error) => void (error && kill()))
      return answered.promise.finally(() => clearTimeout(late))
    },
    async end() {
      ending = true
      kill()
      await gone.promise
    },
  }
}

/** Without our environment: no secret of ours is its business. In our own process group, and so in our share of cores. */
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
