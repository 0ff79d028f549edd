import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** Asks before the user leaves a page with unsaved changes. @param of name of the thing with unsaved changes */
export function LeaveGuard({ unsaved, of }: { unsaved: boolean; of: string }) {
  const { leave } = useTexts('settings').settings
  const leaving = useBlocker({
    // A signed-out user is redirected immediately.
    shouldBlockFn: ({ next }) => unsaved && !next.fullPath.startsWith('/login'),
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={leaving.status === 'blocked'}
      title={leave.title}
      confirm={leave.confirm}
      onClose={() => leaving.reset?.()}
      act={() => Promise.resolve(leaving.proceed?.())}
    >
      <Text>{leave.body({ what: of })}</Text>
    </ConfirmDialog>
  )
}
