import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'

/** Replaces a camera that the user could see until now. */
export function AccessEnded() {
  const { live } = useTexts('live')
  return (
    <Notice icon={IconLock} title={live.ended} action={<HomeButton />} alert>
      {live.endedBody}
    </Notice>
  )
}

/** Leads to all cameras. */
export function HomeButton() {
  const { live } = useTexts('live')
  return (
    <Button component={Link} to="/" variant="default">
      {live.allCameras}
    </Button>
  )
}
