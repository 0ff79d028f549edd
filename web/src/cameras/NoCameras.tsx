import { Button } from '@mantine/core'
import { IconDeviceCctvOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Notice } from '../ui/feedback/Notice.tsx'
import { useCan } from '../session/session.ts'
import { useTexts } from '../i18n/texts.ts'

interface NoCamerasProps {
  /** Shown below a page's heading, not as the whole page. */
  readonly part?: boolean
}

/** Shown when there is no camera, or none for this role. A user who can add cameras gets a link to the settings. */
export function NoCameras({ part = false }: NoCamerasProps) {
  const { live } = useTexts('live')
  const canAdd = useCan('cameras.manage')
  if (!canAdd) {
    return (
      <Notice icon={IconDeviceCctvOff} title={live.noneTitle} part={part}>
        {live.noneBody}
      </Notice>
    )
  }
  return (
    <Notice
      icon={IconDeviceCctvOff}
      title={live.noneAdminTitle}
      part={part}
      action={<Button renderRoot={(props) => <Link {...props} to="/settings/cameras" />}>{live.addCamera}</Button>}
    >
      {live.noneAdminBody}
    </Notice>
  )
}
