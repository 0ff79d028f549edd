import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Ask } from '../settings/Ask.tsx'
import { done } from '../settings/done.ts'
import { ApiError } from '../shared/api.ts'
import type { Export } from '../shared/api-types.ts'
import { queryKeys } from '../shared/query-keys.ts'
import { useTexts } from '../shared/texts/texts.ts'
import { deleteExport } from './exports.ts'

interface DeleteExportParts {
  readonly one: Export
  readonly name: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks before an export is deleted for everybody. */
export function DeleteExport({ one, name, opened, onClose }: DeleteExportParts) {
  const { exports } = useTexts()
  const queries = useQueryClient()
  const remove = async () => {
    let said = exports.deleted(name)
    try {
      await deleteExport(one)
    } catch (error) {
      if (!(error instanceof ApiError && error.failure.status === 404)) throw error
      said = exports.alreadyGone(name)
    }
    done(said)
    void queries.invalidateQueries({ queryKey: queryKeys.exports.all })
  }
  return (
    <Ask opened={opened} onClose={onClose} title={exports.deleteTitle(name)} confirm={exports.delete} act={remove}>
      <Text>{exports.deleteBody}</Text>
    </Ask>
  )
}
