import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { done } from '../ui/notify.ts'
import { ApiError } from '../api/api.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { messageOf } from '../api/failure.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts } from '../i18n/texts.ts'
import { beginExport, cancelExport } from './queries.ts'

/** Actions without a dialog; a notification shows the result. */
export function useExportActs(one: Export, name: string) {
  const texts = useTexts('exports')
  const { exports } = texts
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)

  const act = async (what: () => Promise<unknown>, message: string) => {
    setBusy(true)
    try {
      await what()
      done(message)
    } catch (error) {
      // The export ended in the meantime, as the list shows.
      const over = error instanceof ApiError && error.failure.status === 404
      if (!over) notifications.show({ message: messageOf(error, texts), color: 'red', role: 'alert' })
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: queryKeys.exports.all })
    }
  }
  return {
    busy,
    cancel: () => act(() => cancelExport(one), exports.cancelled({ name })),
    again: () => act(() => beginExport(one), exports.begun({ name })),
  }
}
