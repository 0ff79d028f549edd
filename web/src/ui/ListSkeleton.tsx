import { Skeleton, Stack } from '@mantine/core'
import { useTexts } from '../i18n/texts.ts'

/** The shape of a list that is on its way. */
export function ListSkeleton({ rows = 4 }: { rows?: number }) {
  const { loading } = useTexts()
  return (
    <Stack gap="sm" role="status" aria-label={loading}>
      {Array.from({ length: rows }, (_, at) => (
        <Skeleton key={at} height={56} radius="md" />
      ))}
    </Stack>
  )
}
