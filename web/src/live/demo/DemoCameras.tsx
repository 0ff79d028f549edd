import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cameraSettingsQuery } from '../../cameras/camera-settings.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from '../LivePage.module.css'

/** The notice about the demo cameras, if they are. */
export function DemoCameras({ onClose }: { onClose: () => void }) {
  const { live, close } = useTexts('live')
  // Asked once: cameras that replace the demo cameras have other names.
  const { data } = useQuery({ ...cameraSettingsQuery, refetchInterval: false, staleTime: Infinity })
  if (data?.demo !== true) return null
  return (
    <Alert
      className={classes.notice}
      role="status"
      color="gate"
      withCloseButton
      closeButtonLabel={close}
      onClose={() => {
        onClose()
        // The pressed button is removed, so the focus moves to the first camera.
        document.querySelector<HTMLElement>('[data-tile]')?.focus({ preventScroll: true })
      }}
    >
      {live.demo}{' '}
      <Anchor component={Link} to="/settings/cameras" inherit underline="always">
        {live.addCamera}
      </Anchor>
    </Alert>
  )
}
