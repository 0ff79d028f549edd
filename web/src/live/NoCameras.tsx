import { Button } from '@mantine/core'
import { IconDeviceCctvOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Message } from '../frame/Message.tsx'
import { useMay } from '../session/session.ts'
import { useTexts } from '../shared/texts/texts.ts'

/** There is no camera, or none for this role; who may add one is led there. */
export function NoCameras() {
  const { live } = useTexts()
  const mayAdd = useMay('cameras.manage')
  if (!mayAdd) {
    return (
      <Message icon={IconDeviceCctvOff} title={live.noneTitle}>
        {live.noneBody}
      </Message>
    )
  }
  return (
    <Message
      icon={IconDeviceCctvOff}
      title={live.noneAdminTitle}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/settings/$section" params={{ section: 'cameras' }} />}>
          {live.addCamera}
        </Button>
      }
    >
      {live.noneAdminBody}
    </Message>
  )
}
