import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { InstanceResponse } from '../../../../server/src/api-types.ts'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { instancePath } from '../queries.ts'
import { takesCameras } from './placement.ts'

interface DrainInstanceProps {
  readonly instance: InstanceResponse
  readonly instances: readonly InstanceResponse[]
  readonly onClose: () => void
}

/** Explains what draining does, and starts it. */
export function DrainInstance({ instance: { id, name }, instances, onClose }: DrainInstanceProps) {
  const { instances: words } = useTexts('instances')
  const queries = useQueryClient()
  const isAlone = !instances.some((other) => other.id !== id && takesCameras(other))
  const drain = async () => {
    await send(`${instancePath(id)}/drain`, { method: 'POST' })
    notifySuccess(words.drainStarted({ name }))
    await queries.invalidateQueries({ queryKey: queryKeys.instances })
  }
  return (
    <ConfirmDialog opened title={words.drainTitle({ name })} confirm={words.drain} onClose={onClose} act={drain}>
      <Text>{words.drainBody}</Text>
      {isAlone && <Text>{words.drainAlone}</Text>}
    </ConfirmDialog>
  )
}
