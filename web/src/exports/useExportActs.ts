import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifyFailure, notifySuccess } from '../ui/feedback/notify.ts'
import { ApiError } from '../api/api.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { messageOf } from '../api/failure.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts } from '../i18n/texts.ts'
import { beginExport, cancelExport } from './queries.ts'

interface ExportAct {
  readonly act: (one: Export) => Promise<unknown>
  /** Shown once it has succeeded. */
  readonly message: string
  /** Whether 404 means that the export ended in the meantime, as the list shows. */
  readonly mayBeOver: boolean
}

/** Actions without a dialog; a notification shows the result. */
export function useExportActs(one: Export, name: string) {
  const texts = useTexts('exports')
  const { exports } = texts
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ act }: ExportAct) => act(one),
    onSuccess: (_result, { message }) => notifySuccess(message),
    onError(error, { mayBeOver }) {
      const over = mayBeOver && error instanceof ApiError && error.failure.status === 404
      if (!over) notifyFailure(messageOf(error, texts))
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.exports.all }),
  })
  return {
    busy: isPending,
    cancel: () => mutate({ act: cancelExport, message: exports.canceled({ name }), mayBeOver: true }),
    again: () => mutate({ act: beginExport, message: exports.started({ name }), mayBeOver: false }),
  }
}
