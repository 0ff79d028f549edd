import { useMediaQuery } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { useNarrow } from '../breakpoints.ts'
import { IconButton } from '../IconButton.tsx'
import { leaveFullscreen } from '../dialogs/leave-fullscreen.ts'
import { useKeys } from './useKeys.ts'
import type { Shortcut } from './ShortcutsDialog.tsx'
import { Tools } from '../Tools.tsx'

const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))

/** The page's keyboard shortcuts: opened with `?`, or with a header button on devices with a keyboard. */
export function Shortcuts({ of }: { of: readonly Shortcut[] }) {
  const { shortcuts } = useTexts('shortcuts')
  const [opened, setOpened] = useState(false)
  const hasPointer = useMediaQuery('(hover: hover)', undefined, { getInitialValueInEffect: false })
  const hasButton = !useNarrow('medium') && hasPointer
  const open = () => {
    leaveFullscreen()
    setOpened(true)
  }
  useKeys({ '?': open })

  return (
    <>
      {hasButton && (
        <Tools>
          <IconButton icon={IconKeyboard} label={shortcuts.title} shortcut="?" onClick={open} />
        </Tools>
      )}
      {opened && (
        <Suspense>
          <ShortcutsDialog of={of} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
