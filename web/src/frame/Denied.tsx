import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../shared/texts/texts.ts'
import { Message } from './Message.tsx'

/** A page that one's role does not include. */
export function Denied() {
  const { denied } = useTexts()
  return (
    <Message
      icon={IconLock}
      title={denied.title}
      action={
        <Button component={Link} to="/" variant="default">
          {denied.home}
        </Button>
      }
    >
      {denied.body}
    </Message>
  )
}
