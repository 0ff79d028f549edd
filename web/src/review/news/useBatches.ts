import { useThrottledCallback } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Milliseconds until what failed is tried again, unless another id comes sooner. */
const retryAfter = 10_000

/**
 * Collects ids for a moment.
 *
 * @param work what to do with them; resolves to those that failed, which come again with a later batch
 * @returns a function that adds an id
 */
export function useBatches(work: (ids: readonly string[]) => Promise<readonly string[]>): (id: string) => void {
  const collected = useRef(new Set<string>())
  const [failures, setFailures] = useState(0)
  const run = useThrottledCallback(async () => {
    const ids = [...collected.current]
    collected.current.clear()
    const failed = await work(ids)
    for (const id of failed) collected.current.add(id)
    if (failed.length > 0) setFailures((before) => before + 1)
  }, 500)
  const retry = useEffectEvent(run)
  useEffect(() => {
    if (failures === 0) return undefined
    const timer = setTimeout(() => retry(), retryAfter)
    return () => clearTimeout(timer)
  }, [failures])
  return (id) => {
    collected.current.add(id)
    run()
  }
}
