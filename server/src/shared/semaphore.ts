/** Runs work with limited concurrency; other work waits, first come, first served. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createSemaphore(concurrency: number): Semaphore {
  const line: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < concurrency) running += 1
    // Finished work passes its slot to the next in line, so that no other work takes the slot.
    else await new Promise<void>((resolve) => void line.push(resolve))
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
