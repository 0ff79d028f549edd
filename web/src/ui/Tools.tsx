import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The element in the header that holds a page's own buttons. */
export const ToolsPlace = createContext<HTMLElement | null>(null)

/** Renders a page's own buttons into the header, next to the account menu. */
export function Tools({ children }: { children: ReactNode }) {
  const place = use(ToolsPlace)
  return place && createPortal(children, place)
}
