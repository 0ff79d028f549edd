import { Anchor } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { notifyFailure, notifyWithAction } from '../ui/feedback/notify.ts'
import { ApiError } from '../api/api.ts'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { messageOf } from '../api/failure.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts, type Texts } from '../i18n/texts.ts'
import { unseenByTab } from './counts.ts'
import { fits } from './fits.ts'
import { boundsOf } from '../lib/day.ts'
import { useIsStillMe } from '../session/session.ts'
import {
  markItems,
  markMany,
  markSeen,
  reviewItem,
  reviewList,
  reviewSummary,
  severityOf,
  showSeen,
} from './queries.ts'
import type { ReviewFilter } from './search.ts'

/** Marks items as seen or unseen. Optimistic: the change is shown before the service confirms it. */
export function useMarking() {
  const texts = useTexts('review')
  const { review } = texts
  const queries = useQueryClient()
  const isStillMe = useIsStillMe()

  const recount = () => queries.invalidateQueries({ queryKey: reviewSummary.queryKey })
  const failed = (error: unknown) => {
    // Deleted by now, or no longer permitted: the list shows that.
    const gone = error instanceof ApiError && [403, 404].includes(error.failure.status)
    if (!gone) notifyFailure(messageOf(error, texts))
    void queries.invalidateQueries({ queryKey: queryKeys.review.all })
  }

  const mark = async (items: readonly ReviewItemResponse[], seen: boolean) => {
    const ids = items.map(({ id }) => id)
    const [first] = ids
    if (first === undefined) return
    const marked = new Set(ids)
    showSeen(queries, ({ id }) => marked.has(id), seen)
    try {
      await (ids.length === 1 ? markSeen(first, seen) : markItems(ids, seen))
      for (const id of ids) void queries.invalidateQueries({ queryKey: reviewItem(id).queryKey, refetchType: 'none' })
      await recount()
    } catch (error) {
      failed(error)
    }
  }

  const nothingLeft = (filter: ReviewFilter) => {
    // A filter on unseen items needs a new list.
    if (filter.unseen) void queries.resetQueries({ queryKey: queryKeys.review.lists })
  }

  /** Marks all matching items, listed or not. Undo is offered if all of them are listed. */
  const markAll = async (filter: ReviewFilter) => {
    const severity = severityOf(filter.show)
    const requested = {
      ...(filter.camera !== undefined && { cameras: [filter.camera] }),
      ...(severity && { severity }),
      ...(filter.day !== undefined && boundsOf(filter.day)),
    }
    const listed = queries.getQueryData(reviewList(filter).queryKey)?.pages.flatMap(({ items }) => items) ?? []
    const mine = listed.filter((item) => !item.seen && fits(item, filter))
    const summary = queries.getQueryData(reviewSummary.queryKey)
    const all = summary && unseenByTab(summary, filter)[filter.show ?? 'alerts']
    try {
      await markMany({ filter: requested, seen: true })
      showSeen(queries, (item) => fits({ ...item, seen: false }, filter), true)
      nothingLeft(filter)
      await recount()
      const undoMark = async () => {
        await mark(mine, false)
        nothingLeft(filter)
      }
      if (isStillMe()) notifyMarked(review, mine.length === all ? undoMark : undefined)
    } catch (error) {
      failed(error)
    }
  }
  return { mark, markAll }
}

/** @param undoMark undefined: the change can't be undone */
function notifyMarked(review: Texts<'review'>['review'], undoMark: (() => Promise<void>) | undefined): void {
  notifyWithAction({
    id: 'review-marked',
    color: 'gate',
    seconds: 8,
    message: (close) => {
      const undo = () => {
        close()
        void undoMark?.()
      }
      return (
        <>
          {review.markedAll}{' '}
          {undoMark && (
            <Anchor component="button" type="button" inherit fw={600} onClick={undo}>
              {review.undo}
            </Anchor>
          )}
        </>
      )
    },
  })
}
