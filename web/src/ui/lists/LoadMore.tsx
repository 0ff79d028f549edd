import { Button, Loader, Text } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import classes from './LoadMore.module.css'

interface LoadMoreProps {
  readonly query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isError' | 'fetchNextPage'
  >
  /** The button's label. */
  readonly label: string
  /** Shown below the last page. */
  readonly end?: string
}

/** The end of a list: fetches the next page when the user scrolls near it, or by its button after a failure. */
export function LoadMore({ query, label, end }: LoadMoreProps) {
  const { loading } = useTexts()
  const { hasNextPage, isFetching, isFetchingNextPage, isError, fetchNextPage } = query
  const { ref, entry } = useIntersection({ rootMargin: '600px' })
  const isNear = entry?.isIntersecting === true
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isNear, hasNextPage, isFetching, isError, fetchNextPage])

  return (
    <div ref={ref} className={classes.more}>
      {isFetchingNextPage ? (
        <Loader size="sm" role="status" aria-label={loading} />
      ) : hasNextPage ? (
        <Button variant="default" onClick={() => void fetchNextPage()}>
          {label}
        </Button>
      ) : (
        end !== undefined && (
          <Text size="sm" c="dimmed">
            {end}
          </Text>
        )
      )}
    </div>
  )
}
