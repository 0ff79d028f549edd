/** Runs what it is given, so many at a time; the others wait, first come first served. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createSemaphore(concurrency: number): Semaphore {
  const line: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < concurrency) running += 1
    // Whoever ends hands its place over, so that nobody gets in between.
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
