import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestFile } from './measured-test.ts'
import type { RunReply, RunRequest } from './test-runner.ts'

/** Runs tests in a process of its own, which is replaced if it does not answer in time. */
export interface Runner {
  list(): Promise<TestFile[]>
  /** @returns undefined if the tests did not end within `milliseconds`, or the process crashed. */
  run(request: RunRequest, milliseconds: number): Promise<RunReply | undefined>
  stop(): void
}

/** @param env variables besides those of this process */
export function createRunner(env: Readonly<Record<string, string>> = {}): Runner {
  let child: Promise<ChildProcess> | undefined

  const start = async (): Promise<ChildProcess> => {
    const started = fork(join(import.meta.dirname, 'test-runner.ts'), {
      // A group of its own, so that it ends together with its workers.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    })
    const [ready] = (await Promise.race([once(started, 'message'), once(started, 'exit')])) as [unknown]
    if (typeof ready !== 'object') throw new Error('the test runner ended at its start')
    return started
  }
  const stop = async (): Promise<void> => {
    const ending = child
    child = undefined
    const { pid } = (await ending?.catch(() => undefined)) ?? {}
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
  const ask = async (request: RunRequest | 'list', milliseconds: number): Promise<unknown> => {
    const running = await (child ??= start())
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => controller.abort(), milliseconds)
    const answered = once(running, 'message', { signal })
    const ended = once(running, 'exit', { signal }).then(() => undefined)
    running.send(request)
    try {
      const message = (await Promise.race([answered, ended])) as [{ value?: unknown; error?: string }] | undefined
      if (message === undefined) child = undefined
      else if (message[0].error !== undefined) throw new Error(message[0].error)
      return message?.[0].value
    } catch (error) {
      if (!signal.aborted) throw error
      await stop()
      return undefined
    } finally {
      clearTimeout(timer)
      controller.abort()
      ended.catch(() => undefined)
      answered.catch(() => undefined)
    }
  }

  return {
    list: async () => (await ask('list', 60_000)) as TestFile[],
    run: async (request, milliseconds) => (await ask(request, milliseconds)) as RunReply | undefined,
    stop: () => void stop(),
  }
}
