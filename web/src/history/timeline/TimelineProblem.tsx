import { Alert, Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../api/failure.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from '../HistoryPage.module.css'
import type { RecordedDay } from '../recorded/useRecordedDay.ts'

/** Why the timeline doesn't show all recordings, or perhaps not the newest ones. */
export function TimelineProblem({ recorded: { error, recorded } }: { recorded: RecordedDay }) {
  const texts = useTexts()
  const queries = useQueryClient()
  if (!error) return null
  const again = () =>
    void queries.refetchQueries({
      queryKey: queryKeys.recordings.all,
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    })
  const isStale = !recorded.includes(undefined)
  return (
    <Alert className={classes.problem} color={isStale ? 'yellow' : 'red'} role={isStale ? 'status' : 'alert'}>
      <Group justify="space-between" gap="xs">
        {isStale ? texts.failure.stale : messageOf(error, texts)}
        <Button size="sm" variant="default" onClick={again}>
          {texts.tryAgain}
        </Button>
      </Group>
    </Alert>
  )
}
