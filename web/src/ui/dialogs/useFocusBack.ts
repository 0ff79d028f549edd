import { useEffect, useState } from 'react'

/**
 * For a dialog that is open when it mounts, which Mantine doesn't handle: once it unmounts, returns the focus to the
 * element that opened it, or to the page.
 */
export function useFocusBack(opened: boolean): void {
  const [opener] = useState(() => (opened ? document.activeElement : null))
  useEffect(() => {
    if (!opener) return undefined
    return () => {
      // The dialog traps the focus until it has unmounted.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const to = opener.isConnected ? opener : document.getElementById('content')
        if (to instanceof HTMLElement) to.focus({ preventScroll: true })
      }, 10)
    }
  }, [opener])
}
