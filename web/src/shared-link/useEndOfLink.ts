import { useEffect, useEffectEvent } from 'react'
import { isRefused } from './open-link.ts'

/** Milliseconds: what was buffered must not play on after the link has ended. */
const every = 800

/** Asks the service whether the link still shows a recording, as no open connection says so. @param path what it shows */
export function useEndOfLink(path: string, onEnd: () => void): void {
  const notifyEnd = useEffectEvent(onEnd)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let left = false
    const check = async () => {
      const ended = !document.hidden && (await isRefused(path))
      if (left) return
      if (ended) notifyEnd()
      timer = setTimeout(() => void check(), every)
    }
    timer = setTimeout(() => void check(), every)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [path])
}
