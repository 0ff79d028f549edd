import { useEffect, useState } from 'react'

/** For a dialog that is there only while it is open: the focus goes back to what opened it, or to the page. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The dialog has to be gone: until then it holds the focus.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const to = opener?.isConnected ? opener : document.getElementById('content')
        if (to instanceof HTMLElement) to.focus({ preventScroll: true })
      }, 10)
    },
    [opener],
  )
}
