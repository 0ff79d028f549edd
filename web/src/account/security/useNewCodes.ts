import { useState } from 'react'
import { keepCodes, keptCodes, type Codes } from '../../session/new-codes.ts'
import { useIsStillMe, useMe } from '../../session/session.ts'

/** New recovery codes, until the user has saved them. */
export function useNewCodes() {
  const me = useMe()
  const isStillMe = useIsStillMe()
  const [codes, setCodes] = useState(() => keptCodes(me))
  const show = (codes: Codes | undefined) => {
    // They can arrive after the user has signed out.
    if (!isStillMe()) return
    keepCodes(me, codes)
    setCodes(codes)
  }
  return [codes, show] as const
}
