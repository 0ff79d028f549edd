/** A mutex with a first-in, first-out queue. */
export interface Mutex {
  /**
   * @param timeout milliseconds after which waiting rejects
   * @returns a function that releases the mutex
   */
  take(timeout: number): Promise<() => void>
}

export function createMutex(): Mutex {
  const waiting = new Set<() => void>()
  let taken = false

  const end = () => {
    const [next] = waiting
    if (next) next()
    else taken = false
  }
  const onlyOnce = (): (() => void) => {
    let ended = false
    return () => {
      if (!ended) end()
      ended = true
    }
  }

  return {
    take(timeout) {
      if (!taken) {
        taken = true
        return Promise.resolve(onlyOnce())
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(mine)
          reject(new Error(`waited ${timeout} ms for other writers`))
        }, timeout)
        const mine = () => {
          clearTimeout(timer)
          waiting.delete(mine)
          resolve(onlyOnce())
        }
        waiting.add(mine)
      })
    },
  }
}
