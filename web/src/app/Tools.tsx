import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The place in the header for a page's own buttons. */
export const ToolsPlace = createContext<HTMLElement | null>(null)

/** Puts a page's own buttons into the header, beside the account. */
export function Tools({ children }: { children: ReactNode }) {
  const place = use(ToolsPlace)
  return place && createPortal(children, place)
}
