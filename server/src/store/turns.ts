/** One at a time, in the order in which they came. */
export interface Turns {
  /**
   * @param patience milliseconds after which waiting ends with an error.
   * @returns a function that ends the turn.
   */
  take(patience: number): Promise<() => void>
}

export function createTurns(): Turns {
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
    take(patience) {
      if (!taken) {
        taken = true
        return Promise.resolve(onlyOnce())
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(mine)
          reject(new Error(`waited ${patience} ms behind others who write`))
        }, patience)
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
