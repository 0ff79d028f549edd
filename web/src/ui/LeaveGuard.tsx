import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../i18n/texts.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** Asks before a page is left while something on it is not saved. @param of what that is, as its page calls it */
export function LeaveGuard({ unsaved, of }: { unsaved: boolean; of: string }) {
  const { leave } = useTexts().settings
  const leaving = useBlocker({
    // Who is signed out is led away at once.
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
      <Text>{leave.body(of)}</Text>
    </ConfirmDialog>
  )
}
