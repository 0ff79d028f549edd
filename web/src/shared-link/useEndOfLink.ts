import { useEffect, useEffectEvent } from 'react'
import { backoff } from '../lib/backoff.ts'
import { eventsOf } from './open-link.ts'

/**
 * Notices when the link may have ended while a recording plays from the buffer: the service then closes a WebSocket.
 * It reconnects for as long as the component is mounted.
 */
export function useEndOfLink(id: string, onDoubt: () => void): void {
  const notifyDoubt = useEffectEvent(onDoubt)
  useEffect(() => {
    let failures = 0
    let socket: WebSocket | undefined
    let retry: ReturnType<typeof setTimeout>

    const connect = () => {
      const mine = new WebSocket(eventsOf(id))
      socket = mine
      mine.addEventListener('open', () => (failures = 0))
      mine.addEventListener('close', () => {
        if (mine !== socket) return
        // Once per outage: the page itself asks again while the service is unavailable.
        if (failures === 0) notifyDoubt()
        retry = setTimeout(connect, backoff(failures, Math.random()))
        failures += 1
      })
    }
    connect()
    return () => {
      clearTimeout(retry)
      const last = socket
      socket = undefined
      last?.close()
    }
  }, [id])
}
