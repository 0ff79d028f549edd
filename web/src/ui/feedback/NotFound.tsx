import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.ts'
import { Notice } from './Notice.tsx'

export function NotFound() {
  const { notFound } = useTexts()
  return (
    <Notice
      icon={IconMapOff}
      title={notFound.title}
      action={
        <Button component={Link} to="/" variant="default">
          {notFound.home}
        </Button>
      }
    >
      {notFound.body}
    </Notice>
  )
}
