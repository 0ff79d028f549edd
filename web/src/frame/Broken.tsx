import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTexts } from '../shared/texts/texts.ts'
import { Message } from './Message.tsx'

/** A page whose code could not be loaded, as after an update, or that broke. */
export function Broken() {
  const texts = useTexts()
  return (
    <Message
      icon={IconAlertTriangle}
      title={texts.failure.title}
      alert
      action={<Button onClick={() => window.location.reload()}>{texts.failure.reload}</Button>}
    >
      {texts.failure.page}
    </Message>
  )
}
