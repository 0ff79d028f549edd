import { Button } from '@mantine/core'
import { IconClockPause } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Profile } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { Notice } from '../ui/feedback/Notice.tsx'

const refusals = {
  hours: 'outside-hours',
  'not-yet': 'role-not-yet-valid',
  over: 'role-expired',
  'enrollment-required': 'enrollment-required',
} as const

/**
 * Shown instead of every page except the account while the user's role allows nothing. The profile is polled each minute,
 * so that the page appears when access begins.
 */
export function Suspended({ reason }: { reason: NonNullable<Profile['suspended']> }) {
  const texts = useTexts()
  return (
    <Notice
      icon={IconClockPause}
      title={texts.suspended.title[reason]}
      action={
        reason === 'enrollment-required' ? (
          <Button renderRoot={(props) => <Link {...props} to="/account/security" />}>{texts.suspended.enroll}</Button>
        ) : (
          <Button renderRoot={(props) => <Link {...props} to="/account" />} variant="default">
            {texts.account.open}
          </Button>
        )
      }
    >
      {texts.refusals[refusals[reason]]}
      {reason !== 'over' && reason !== 'enrollment-required' && <p>{texts.suspended.begins}</p>}
    </Notice>
  )
}
