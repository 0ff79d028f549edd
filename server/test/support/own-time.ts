import { readdirSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { commandLines, descendantsOf } from './children.ts'
import { wait } from './wait.ts'

/**
 * Starts a stopwatch for the time limits of the service. It stands still while this process could run but the machine is
 * busy with other processes, if the kernel counts that: a limit concerns what the service does, not its neighbors.
 *
 * @param others other processes that take part: their ids, or a text in their command lines, such as the name of a
 *   database
 * @returns milliseconds so far. Of a thread that has ended, what it had waited at an earlier call counts.
 */
export function stopwatch(...others: readonly (number | string)[]): () => number {
  const began = performance.now()
  const before = waitsOf(others)
  const latest = new Map<string, number>()
  return () => {
    const total = performance.now() - began
    for (const [thread, waited] of waitsOf(others)) latest.set(thread, waited - (before.get(thread) ?? 0))
    return Math.max(0, total - [...latest.values()].reduce((sum, waited) => sum + waited, 0))
  }
}

/** Milliseconds by a {@link stopwatch} until a process and its children have done something, also if that is their end. */
export async function ownTimeOf(work: () => Promise<unknown>, process: number): Promise<number> {
  const elapsed = stopwatch(process, ...descendantsOf(process))
  const sampling = new AbortController()
  const done = work().finally(() => sampling.abort())
  while (!sampling.signal.aborted) {
    elapsed()
    await Promise.race([done, wait(20, 'the kernel forgets what an ended process has waited')])
  }
  await done
  return elapsed()
}

/**
 * Waits until a check passes, and fails if that took longer by a {@link stopwatch}.
 *
 * @param milliseconds what the service promises
 * @param check throws as long as it doesn't pass
 * @param others as those of the stopwatch
 */
export async function within(
  milliseconds: number,
  check: () => unknown,
  ...others: readonly (number | string)[]
): Promise<void> {
  const elapsed = stopwatch(...others)
  await vi.waitFor(check, { timeout: 60_000, interval: 20 })
  expect(elapsed()).toBeLessThan(milliseconds)
}

/** Milliseconds that each thread has waited for a processor so far, by its id. */
function waitsOf(others: readonly (number | string)[]): Map<string, number> {
  const lines = others.some((other) => typeof other === 'string') ? commandLines() : new Map<number, string>()
  const named = [...lines].filter(([, line]) =>
    others.some((other) => typeof other === 'string' && line.includes(other)),
  )
  const processes = ['self', ...others.filter((other) => typeof other === 'number'), ...named.map(([pid]) => pid)]
  return new Map(processes.flatMap(threadsOf))
}

function threadsOf(process: number | string): [string, number][] {
  try {
    return readdirSync(`/proc/${process}/task`).map((thread) => [thread, waitOf(`/proc/${process}/task/${thread}`)])
  } catch {
    return []
  }
}

/** 0 if the thread has ended, or nothing is counted. */
function waitOf(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
