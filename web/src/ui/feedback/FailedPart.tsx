import { Button, Group, Text } from '@mantine/core'
import { goToOf, messageOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'

interface FailedPartProps {
  readonly error: Error
  readonly again: () => void
}

/** Why a part of a page or form could not be loaded, with a button to try again. */
export function FailedPart({ error, again }: FailedPartProps) {
  const texts = useTexts()
  const goTo = goToOf(error)
  return (
    <Group role="alert" gap="sm">
      <Text size="sm">{messageOf(error, texts)}</Text>
      {goTo ? (
        <Button variant="default" size="sm" component="a" href={goTo.href}>
          {texts.failure.elsewhereGo}
        </Button>
      ) : (
        <Button variant="default" size="sm" onClick={again}>
          {texts.tryAgain}
        </Button>
      )}
    </Group>
  )
}
