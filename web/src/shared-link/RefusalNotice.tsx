import { Button } from '@mantine/core'
import {
  IconClockOff,
  IconClockPause,
  IconEyeOff,
  IconLinkOff,
  IconLock,
  IconPlugConnectedX,
  IconUsers,
  IconVideoOff,
  type TablerIcon,
} from '@tabler/icons-react'
import { useTexts } from '../i18n/texts.ts'
import { Notice } from '../ui/feedback/Notice.tsx'
import { canRetry, type Refusal } from './refusal.ts'

type Kind = Exclude<Refusal['kind'], 'code'>

const icons: Readonly<Record<Kind, TablerIcon>> = {
  unknown: IconLinkOff,
  expired: IconClockOff,
  'used-up': IconLinkOff,
  revoked: IconEyeOff,
  locked: IconLock,
  unavailable: IconVideoOff,
  full: IconUsers,
  busy: IconClockPause,
  away: IconPlugConnectedX,
}

interface RefusalNoticeProps {
  readonly refusal: Exclude<Refusal, { kind: 'code' }>
  readonly again: () => void
}

/** Why the link shows nothing, and what to do. */
export function RefusalNotice({ refusal, again }: RefusalNoticeProps) {
  const { sharedLink, tryAgain } = useTexts('shared-link')
  const { title, body } = sharedLink.refusals[refusal.kind]
  return (
    <Notice
      icon={icons[refusal.kind]}
      title={title}
      alert
      action={
        canRetry(refusal) && (
          <Button variant="default" onClick={again}>
            {tryAgain}
          </Button>
        )
      }
    >
      {body}
    </Notice>
  )
}
