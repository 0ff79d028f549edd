import { Anchor } from '@mantine/core'
import { goToOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'

/** The way out after a request that a proxy keeps redirecting; nothing for other failures. */
export function GoToLink({ error }: { error: unknown }) {
  const { failure } = useTexts()
  const goTo = goToOf(error)
  return (
    goTo && (
      <>
        {' '}
        <Anchor href={goTo.href} inherit underline="always">
          {failure.elsewhereGo}
        </Anchor>
      </>
    )
  )
}
