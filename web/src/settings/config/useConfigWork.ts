import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useReducer, useState } from 'react'
import type { ConfigSaved } from '../../../../server/src/api-types.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { configTextQuery, type ConfigText } from './config-file.ts'
import { afterWork, isUnsaved, workOn } from './config-work.ts'

/**
 * The text in the editor and what has become of it.
 *
 * @param file the newest version known
 */
export function useConfigWork(file: ConfigText) {
  const queries = useQueryClient()
  const [work, dispatch] = useReducer(afterWork, file, workOn)
  const [saved, setSaved] = useState<ConfigSaved>()
  const isOvertaken = file.etag !== work.base.etag
  if (isOvertaken && afterWork(work, { type: 'file', file }) !== work) dispatch({ type: 'file', file })

  const refresh = () => queries.fetchQuery({ ...configTextQuery, staleTime: 0 })
  return {
    work,
    unsaved: isUnsaved(work),
    /** The file has changed since the editor began. */
    isOvertaken,
    /** What the last save changed. */
    saved,
    clearSaved: () => setSaved(undefined),
    type: (text: string) => dispatch({ type: 'type', text }),
    startFrom: (text: string) => dispatch({ type: 'start', file, text }),
    refresh,
    async onSaved(result: ConfigSaved) {
      const { text } = work
      setSaved(result)
      dispatch({ type: 'saved', text })
      try {
        dispatch({ type: 'read', file: await refresh(), text })
      } finally {
        // Any response can depend on the configuration; the file and its schema were just read.
        const inEditor: readonly unknown[] = [hashKey(queryKeys.config.raw), hashKey(queryKeys.config.schema)]
        await queries.invalidateQueries({ predicate: ({ queryHash }) => !inEditor.includes(queryHash) })
      }
    },
  }
}
