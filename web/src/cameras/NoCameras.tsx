import { Button } from '@mantine/core'
import { IconDeviceCctvOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Notice } from '../ui/feedback/Notice.tsx'
import { useCan } from '../session/session.ts'
import { useTexts } from '../i18n/texts.ts'

/** Shown when there is no camera, or none for this role. A user who can add cameras gets a link to the settings. */
export function NoCameras() {
  const { live } = useTexts('live')
  const canAdd = useCan('cameras.manage')
  if (!canAdd) {
    return (
      <Notice icon={IconDeviceCctvOff} title={live.noneTitle}>
        {live.noneBody}
      </Notice>
    )
  }
  return (
    <Notice
      icon={IconDeviceCctvOff}
      title={live.noneAdminTitle}
      action={<Button renderRoot={(props) => <Link {...props} to="/settings/cameras" />}>{live.addCamera}</Button>}
    >
      {live.noneAdminBody}
    </Notice>
  )
}
