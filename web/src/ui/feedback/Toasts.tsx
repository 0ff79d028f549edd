import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useTexts } from '../../i18n/texts.ts'

/** Toasts over every page. They disappear after a while or when closed. */
export function Toasts() {
  const { close } = useTexts()
  const closeButton = { components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } } } }
  return (
    <MantineThemeProvider inherit theme={closeButton}>
      <Notifications position="top-center" limit={3} className="news" />
    </MantineThemeProvider>
  )
}
