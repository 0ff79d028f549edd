/**
 * Loads values by key, many by one query. A request joins only a query that begins after it came, so what it is handed
 * is never older than the request.
 *
 * @param loadMany one query; a key that it does not find is left out
 * @param patience milliseconds after which the next query begins though the one before has not ended
 */
export function createBatchLoad<Value>(
  loadMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  { max = 500, timeout = 100 }: { readonly max?: number; readonly timeout?: number } = {},
): (key: string) => Promise<Value | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Value | undefined>>()
  let underWay = 0
  let begun = false
  let timer: NodeJS.Timeout | undefined

  const load = async (): Promise<void> => {
    begun = false
    const batch = [...waiting].slice(0, max)
    for (const [key] of batch) waiting.delete(key)
    underWay += 1
    try {
      const found = await loadMany(batch.map(([key]) => key))
      for (const [key, { resolve }] of batch) resolve(found.get(key))
    } catch (error) {
      for (const [, { reject }] of batch) reject(error)
    }
    underWay -= 1
    begin()
  }
  const begin = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (begun || waiting.size === 0) return
    begun = true
    // Whatever asks in the same breath goes along.
    queueMicrotask(() => void load())
  }

  return (key) => {
    const joined = waiting.get(key) ?? Promise.withResolvers<Value | undefined>()
    waiting.set(key, joined)
    if (underWay === 0) begin()
    else timer ??= setTimeout(begin, timeout)
    return joined.promise
  }
}
