import { useState } from 'react'
import { keepCodes, keptCodes, type Codes } from '../../session/new-codes.ts'
import { useMe } from '../../session/session.ts'

/** New recovery codes, until the user has saved them. */
export function useNewCodes() {
  const me = useMe()
  const [codes, setCodes] = useState(() => keptCodes(me))
  const show = (codes: Codes | undefined) => {
    keepCodes(me, codes)
    setCodes(codes)
  }
  return [codes, show] as const
}
