import { useRef } from 'react'

/** For a list whose rows have a button that removes them: the focus, which was on the button, goes to the next row. */
export function useRowFocus() {
  const list = useRef<HTMLUListElement>(null)
  const removed = useRef(0)
  return {
    list,
    /** The button of a row was pressed. @param index of the row */
    leaving(index: number): void {
      removed.current = index
    },
    /** The list was fetched again. */
    left(): void {
      // Only later: a list renders in its own timeout.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const rows = [...(list.current?.children ?? [])]
        const row = rows[removed.current] ?? rows.at(-1)
        focus(row?.querySelector('button') ?? row ?? document.getElementById('content'))
      })
    },
  }
}

function focus(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return
  // A row without a button, such as the current session, isn't focusable otherwise.
  if (element.tagName === 'LI') element.tabIndex = -1
  element.focus({ preventScroll: element.tagName === 'MAIN' })
}
