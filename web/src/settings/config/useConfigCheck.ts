import { useRef, useState } from 'react'
import type { ConfigCheck } from '../../../../server/src/api-types.ts'
import { checkConfig } from './config-file.ts'

/** Checks a text; the result is that of the last one. */
export function useConfigCheck() {
  const [found, setFound] = useState<ConfigCheck>()
  const checking = useRef<AbortController>(undefined)
  const check = async (text: string): Promise<ConfigCheck | undefined> => {
    checking.current?.abort()
    const { signal } = (checking.current = new AbortController())
    const result = await checkConfig(text, signal).catch(() => undefined)
    if (signal.aborted) return undefined
    if (result) setFound(result)
    return result
  }
  return { found, check }
}
