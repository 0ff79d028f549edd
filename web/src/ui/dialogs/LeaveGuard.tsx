import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { isDiscardingUnsaved, registerUnsaved } from './unsaved.ts'

/** Asks before the user leaves a page with unsaved changes. @param of name of the thing with unsaved changes; undefined for a new one */
export function LeaveGuard({ unsaved, of }: { unsaved: boolean; of: string | undefined }) {
  const { leave } = useTexts('settings').settings
  const leaving = useBlocker({
    // A signed-out user is redirected immediately.
    shouldBlockFn: ({ next }) => unsaved && !next.fullPath.startsWith('/login'),
    enableBeforeUnload: () => unsaved && !isDiscardingUnsaved(),
    withResolver: true,
  })
  const [pending, setPending] = useState<{ readonly answer: (agrees: boolean) => void }>()
  useEffect(() => {
    if (!unsaved) return undefined
    return registerUnsaved(() => new Promise((answer) => setPending({ answer })))
  }, [unsaved])
  const answer = (agrees: boolean) => {
    pending?.answer(agrees)
    setPending(undefined)
  }
  return (
    <ConfirmDialog
      opened={leaving.status === 'blocked' || pending !== undefined}
      title={leave.title}
      confirm={leave.confirm}
      onClose={() => {
        answer(false)
        leaving.reset?.()
      }}
      act={() => {
        answer(true)
        return Promise.resolve(leaving.proceed?.())
      }}
    >
      <Text>{of === undefined ? leave.bodyNew : leave.body({ what: of })}</Text>
    </ConfirmDialog>
  )
}
