import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestFile } from './measured-test.ts'
import type { Request } from './test-process.ts'
import type { JournalLine, SwitchedMutant, Try, TryResult } from './tries.ts'

const isSame = (one: SwitchedMutant, other: SwitchedMutant | null | undefined): boolean =>
  one.source === other?.source && one.index === other.index

/** Runs tries in its own process, which is replaced if a mutant crashes it or never ends. */
export interface TryRunner {
  list(): Promise<TestFile[]>
  /**
   * @param tries of one project
   * @param limitOf seconds that one of them can take
   * @param onResult called with each result, in order; undefined: the try did not end, or its process crashed
   */
  run(
    tries: readonly Try[],
    limitOf: (tried: Try) => number,
    onResult: (tried: Try, result: TryResult | undefined) => void,
  ): Promise<void>
  stop(): void
}

/** `value`: the requested value, or of a run the first error outside of a test. */
interface Reply {
  readonly value?: unknown
  readonly error?: string
}

/** Seconds for a process and its worker to start. */
const startSeconds = 60

/** @param folder for temporary files, which a killed process leaves */
async function start(folder: string): Promise<ChildProcess> {
  // Its own group, so that it ends together with its workers.
  const started = fork(join(import.meta.dirname, 'test-process.ts'), {
    detached: true,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const first = await Promise.race([once(started, 'message'), once(started, 'exit')])
  if (typeof first[0] !== 'object') throw new Error('the process of the tests ended at its start')
  return started
}

/** What a run has written so far; the last line may be incomplete. */
const linesOf = (journal: string): JournalLine[] =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as JournalLine)

export function createTryRunner(): TryRunner {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
  const journal = join(folder, 'journal')
  let child: ChildProcess | undefined

  const end = (): void => {
    const pid = child?.pid
    child = undefined
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
  /** @returns undefined if the process ended, or wrote nothing for the seconds of `limit` */
  const ask = async (request: Request, limit: () => number): Promise<Reply | undefined> => {
    writeFileSync(journal, '')
    child ??= await start(folder)
    const running = child
    const controller = new AbortController()
    const { signal } = controller
    const answered = once(running, 'message', { signal }) as Promise<[Reply]>
    const ended = once(running, 'exit', { signal }).then(() => undefined)
    const watch = setInterval(() => {
      if (Date.now() - statSync(journal).mtimeMs > limit() * 1000) end()
    }, 1000)
    running.send(request)
    try {
      const message = await Promise.race([answered, ended])
      if (message?.[0].error !== undefined) throw new Error(message[0].error)
      if (message === undefined) end()
      return message?.[0]
    } finally {
      clearInterval(watch)
      controller.abort()
      for (const promise of [answered, ended]) promise.catch(() => undefined)
    }
  }

  return {
    async list() {
      const reply = await ask('list', () => startSeconds)
      return (reply?.value ?? []) as TestFile[]
    },
    async run(tries, limitOf, onResult) {
      let starts = 0
      for (let left = [...tries]; left.length > 0;) {
        const current = left
        const limit = (): number => {
          const tried = current[linesOf(journal).at(-1)?.at ?? -1]
          return tried ? limitOf(tried) : startSeconds
        }
        const reply = await ask({ tries: left, journal }, limit)
        const lines = linesOf(journal)
        const results = lines.flatMap(({ at, result }) => (result ? [{ at, result }] : []))
        for (const { at, result } of results) {
          const tried = left[at]
          if (tried) onResult(tried, result)
        }
        const begun = lines.at(-1)?.at
        const stuck = begun === undefined || results.at(-1)?.at === begun ? undefined : left[begun]
        if (stuck) onResult(stuck, undefined)
        const done = (begun ?? -1) + 1
        // A worker can fail to start, for example while the one before it does not end.
        starts = done === 0 ? starts + 1 : 0
        if (starts === 3) throw new Error(`no test ran: ${JSON.stringify(reply?.value ?? 'the process ended')}`)
        if (starts > 0) end()
        left = left.slice(done).filter(({ mutant }) => mutant === null || !isSame(mutant, stuck?.mutant))
      }
    },
    stop() {
      end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
