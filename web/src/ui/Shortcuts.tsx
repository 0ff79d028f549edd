import { ActionIcon, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { useKeys } from './useKeys.ts'
import type { Shortcut } from './ShortcutsDialog.tsx'
import { Tools } from './Tools.tsx'

const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))

/** The page's keyboard shortcuts: opened with `?`, or with a header button on devices with a keyboard. */
export function Shortcuts({ of }: { of: readonly Shortcut[] }) {
  const { shortcuts } = useTexts('shortcuts')
  const [opened, setOpened] = useState(false)
  const shown = useMediaQuery('(hover: hover) and (min-width: 901px)', undefined, { getInitialValueInEffect: false })
  const open = () => {
    // An element in full screen covers every dialog.
    if (document.fullscreenElement) void document.exitFullscreen()
    setOpened(true)
  }
  useKeys({ '?': open })

  return (
    <>
      {shown && (
        <Tools>
          <Tooltip label={`${shortcuts.title} (?)`}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              aria-label={shortcuts.title}
              aria-keyshortcuts="?"
              onClick={open}
            >
              <IconKeyboard size={20} aria-hidden />
            </ActionIcon>
          </Tooltip>
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
