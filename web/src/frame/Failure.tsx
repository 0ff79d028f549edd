import { Button } from '@mantine/core'
import { IconCloudOff, IconLock, IconRoute } from '@tabler/icons-react'
import { ApiError } from '../shared/api.ts'
import { useTexts } from '../shared/texts/texts.ts'
import { messageOf } from '../shared/failure.ts'
import { Message } from './Message.tsx'

interface FailureParts {
  readonly error: Error
  readonly again: () => void
  /** It stands below the heading of its page. */
  readonly part?: boolean
}

/** Why something could not be shown, in the service's own words where it gave any. */
export function Failure({ error, again, part = false }: FailureParts) {
  const texts = useTexts()
  const failure = error instanceof ApiError ? error.failure : undefined

  if (failure?.goTo) {
    return (
      <Message
        icon={IconRoute}
        title={texts.failure.title}
        alert
        part={part}
        action={
          <Button component="a" href={failure.goTo.href}>
            {texts.failure.elsewhereGo}
          </Button>
        }
      >
        {texts.failure.elsewhere}
      </Message>
    )
  }
  if (failure?.status === 403) {
    return (
      <Message icon={IconLock} title={texts.denied.title} alert part={part}>
        {messageOf(error, texts)}
      </Message>
    )
  }
  return (
    <Message
      icon={IconCloudOff}
      title={texts.failure.title}
      alert
      part={part}
      action={<Button onClick={again}>{texts.tryAgain}</Button>}
    >
      {messageOf(error, texts)}
    </Message>
  )
}
