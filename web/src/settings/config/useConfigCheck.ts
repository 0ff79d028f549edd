import { useEffect, useRef, useState } from 'react'
import type { ConfigCheck } from '../../../../server/src/api-types.ts'
import { checkConfig } from './config-file.ts'
import { shownCheck } from './config-work.ts'

/**
 * Checks a text; the result is that of the last one. `cancel` ends a check whose text has changed.
 *
 * @param saved the text of the file
 */
export function useConfigCheck(saved: string) {
  const [found, setFound] = useState<ConfigCheck>()
  const checking = useRef<AbortController>(undefined)
  const cancel = () => checking.current?.abort()
  useEffect(() => () => checking.current?.abort(), [])
  const check = async (text: string): Promise<ConfigCheck | undefined> => {
    cancel()
    const { signal } = (checking.current = new AbortController())
    const checked = await checkConfig(text, signal).catch(() => undefined)
    if (signal.aborted) return undefined
    const result = checked && shownCheck(checked, text, saved)
    if (result) setFound(result)
    return result
  }
  return { found, check, cancel }
}
