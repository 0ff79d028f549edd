import { Alert } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'

/** Says that what is shown is from an earlier request, because the latest one failed. */
export function StaleAlert({ className }: { className?: string | undefined }) {
  const { failure } = useTexts()
  return (
    <Alert className={className} role="status" color="yellow">
      {failure.stale}
    </Alert>
  )
}
