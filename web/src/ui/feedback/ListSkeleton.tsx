import { Skeleton, Stack } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'

/** A placeholder for a list that is loading. */
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
