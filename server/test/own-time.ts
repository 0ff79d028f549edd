import { readdirSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { commandLines } from './children.ts'

/**
 * Starts a stopwatch for the time limits of the service. It stands still while this process could run but the machine is
 * busy with other processes, if the kernel counts that: a limit concerns what the service does, not its neighbors.
 *
 * @param others other processes that take part: their ids, or a text in their command lines, such as the name of a
 *   database
 * @returns milliseconds so far
 */
export function stopwatch(...others: readonly (number | string)[]): () => number {
  const began = performance.now()
  const before = waitsOf(others)
  return () => {
    const total = performance.now() - began
    let waited = 0
    for (const [thread, wait] of waitsOf(others)) waited += wait - (before.get(thread) ?? 0)
    return Math.max(0, total - waited)
  }
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
