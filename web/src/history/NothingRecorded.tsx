import { Button, Group } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Camera } from '../../../server/src/api-types.ts'
import { notRecordingReason } from '../api/translate-message.ts'
import { useCanChangeStorage } from '../cameras/useCanChangeStorage.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { shortDate } from './clock-text.ts'
import { startOf } from '../lib/day.ts'
import { useCan } from '../session/session.ts'
import classes from './HistoryPage.module.css'
import type { RecordedDay } from './recorded/useRecordedDay.ts'

interface NothingRecordedProps {
  readonly recorded: Pick<RecordedDay, 'day' | 'isToday' | 'before' | 'after' | 'hasUnavailable'>
  readonly cameras: readonly Camera[]
  readonly onDay: (name: string) => void
}

/** A day without recordings: possible reasons, and the nearest days that have some. */
export function NothingRecorded({ recorded, cameras, onDay }: NothingRecordedProps) {
  const { day, isToday, before, after, hasUnavailable } = recorded
  const { history } = useTexts('history')
  const locale = useLocale()
  const none = before === undefined && after === undefined
  const words = (name: string) => shortDate(startOf(name) ?? day.from, locale)

  return (
    <div className={classes.nothing}>
      <IconCalendarOff size={30} stroke={1.5} aria-hidden />
      <h2>{hasUnavailable ? history.unavailableDay : isToday ? history.nothingToday : history.nothingThatDay}</h2>
      {hasUnavailable && <p>{history.unavailable}</p>}
      {(isToday || none) && <NotRecordingNow cameras={cameras} />}
      {!none && (
        <Group gap={8} justify="center">
          {before !== undefined && (
            <Button variant="default" h={44} onClick={() => onDay(before)}>
              {history.earlier({ date: words(before) })}
            </Button>
          )}
          {after !== undefined && (
            <Button variant="default" h={44} onClick={() => onDay(after)}>
              {history.later({ date: words(after) })}
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}

/** Why nothing is recorded now; with a link to the settings for those who can change it. */
function NotRecordingNow({ cameras }: { cameras: readonly Camera[] }) {
  const texts = useTexts('history', 'live', 'reasons')
  const { history, live } = texts
  const canChangeCameras = useCan('cameras.manage')
  const canChangeStorage = useCanChangeStorage()
  if (cameras.every(({ recording_state: state }) => state === 'off')) {
    const edit = cameras.length === 1 ? cameras[0]?.name : undefined
    return (
      <>
        <p>{history.recordingOff({ cameras: cameras.length })}</p>
        {canChangeCameras && (
          <Button
            variant="default"
            h={44}
            renderRoot={(props) => (
              <Link {...props} to="/settings/cameras" search={edit === undefined ? {} : { edit }} />
            )}
          >
            {live.settings}
          </Button>
        )}
      </>
    )
  }
  const reasons = new Set(cameras.flatMap((camera) => notRecordingReason(camera, texts) ?? []))
  if (reasons.size === 0) return null
  return (
    <>
      {[...reasons].map((reason) => (
        <p key={reason}>{live.notRecording({ reason })}</p>
      ))}
      {canChangeStorage && (
        <Button variant="default" h={44} renderRoot={(props) => <Link {...props} to="/settings/storage" />}>
          {history.toStorage}
        </Button>
      )}
    </>
  )
}
