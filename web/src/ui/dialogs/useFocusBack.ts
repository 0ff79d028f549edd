import { useEffect, useState } from 'react'

/** For a dialog that is mounted only while open: returns the focus to the element that opened it, or to the page. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The dialog traps the focus until it has unmounted.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const to = opener?.isConnected ? opener : document.getElementById('content')
        if (to instanceof HTMLElement) to.focus({ preventScroll: true })
      }, 10)
    },
    [opener],
  )
}
