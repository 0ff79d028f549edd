import { useEffect } from 'react'

/** Keeps the display on while the page is visible. Browsers allow it only over HTTPS; the lock ends when the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let left = false
    const request = async () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      try {
        const next = await navigator.wakeLock.request('screen')
        if (left) void next.release()
        else lock = next
      } catch {
        // Refused, for example by a battery saver: the display's own settings apply.
      }
    }
    const renew = () => void request()
    renew()
    document.addEventListener('visibilitychange', renew)
    return () => {
      left = true
      document.removeEventListener('visibilitychange', renew)
      void lock?.release()
    }
  }, [])
}
