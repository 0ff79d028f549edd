import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../shared/texts/texts.ts'
import { Message } from './Message.tsx'

export function NotFound() {
  const { notFound } = useTexts()
  return (
    <Message
      icon={IconMapOff}
      title={notFound.title}
      action={
        <Button component={Link} to="/" variant="default">
          {notFound.home}
        </Button>
      }
    >
      {notFound.body}
    </Message>
  )
}
