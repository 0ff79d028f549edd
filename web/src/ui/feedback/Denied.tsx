import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.ts'
import { Notice } from './Notice.tsx'

/** Shown in place of a page that the user's role doesn't allow. */
export function Denied() {
  const { denied } = useTexts()
  return (
    <Notice
      icon={IconLock}
      title={denied.title}
      action={
        <Button component={Link} to="/" variant="default">
          {denied.home}
        </Button>
      }
    >
      {denied.body}
    </Notice>
  )
}
