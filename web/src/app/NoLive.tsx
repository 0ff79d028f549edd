import { Button, Group } from '@mantine/core'
import { IconVideoOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Profile } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { Notice } from '../ui/feedback/Notice.tsx'
import { entriesFor } from './menu.ts'

/** Shown instead of live video if the user's role doesn't include it. Links to the pages it does include. */
export function NoLive({ me }: { me: Profile }) {
  const texts = useTexts()
  return (
    <Notice
      icon={IconVideoOff}
      title={texts.noLive.title}
      action={
        <Group justify="center">
          {entriesFor(me.actions).map(({ to, label, icon: Icon }) => (
            <Button
              key={to}
              renderRoot={(props) => <Link {...props} to={to} />}
              variant="default"
              leftSection={<Icon size={18} aria-hidden />}
            >
              {label(texts)}
            </Button>
          ))}
        </Group>
      }
    >
      {texts.noLive.body}
    </Notice>
  )
}
