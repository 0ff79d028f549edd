import { Button } from '@mantine/core'
import { IconCloudOff, IconLock, IconRoute } from '@tabler/icons-react'
import { ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/texts.ts'
import { goToOf, headedMessageOf, messageOf } from '../../api/failure.ts'
import { Notice } from './Notice.tsx'

interface ErrorStateProps {
  readonly error: Error
  readonly again: () => void
  /** Shown below a page's heading, not as the whole page. */
  readonly part?: boolean
}

/** Why something could not be shown, in the service's own words if it sent any. */
export function ErrorState({ error, again, part = false }: ErrorStateProps) {
  const texts = useTexts()
  const goTo = goToOf(error)

  if (goTo) {
    return (
      <Notice
        icon={IconRoute}
        title={texts.failure.title}
        alert
        part={part}
        action={
          <Button component="a" href={goTo.href}>
            {texts.failure.elsewhereGo}
          </Button>
        }
      >
        {texts.failure.elsewhere}
      </Notice>
    )
  }
  if (error instanceof ApiError && error.failure.status === 403) {
    return (
      <Notice icon={IconLock} title={texts.denied.title} alert part={part}>
        {messageOf(error, texts)}
      </Notice>
    )
  }
  const { title, body } = headedMessageOf(error, texts)
  return (
    <Notice
      icon={IconCloudOff}
      title={title}
      alert
      part={part}
      action={<Button onClick={again}>{texts.tryAgain}</Button>}
    >
      {body}
    </Notice>
  )
}
