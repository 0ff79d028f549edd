import { useState } from 'react'

export type Codes = readonly string[]

/** Outside of React: with the first factor, the page can be rebuilt while the codes are shown. */
let kept: { readonly username: string; readonly codes: Codes } | undefined

/** New recovery codes, until the user has saved them. */
export function useNewCodes(username: string) {
  const [codes, setCodes] = useState(() => (kept?.username === username ? kept.codes : undefined))
  const show = (codes: Codes | undefined) => {
    kept = codes && { username, codes }
    setCodes(codes)
  }
  return [codes, show] as const
}
