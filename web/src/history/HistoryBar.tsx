import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Camera } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { sameTimeOn, sameTimeOnDay } from '../lib/day.ts'
import { CameraPicker } from './CameraPicker.tsx'
import { DayPicker } from './DayPicker.tsx'
import { isoTime } from './history-search.ts'
import classes from './HistoryPage.module.css'
import type { HistoryPlayer } from './player/useHistoryPlayer.ts'
import { useRecordedDays } from './recorded/useRecorded.ts'

interface HistoryBarProps {
  readonly player: HistoryPlayer
  /** The cameras that can be chosen. */
  readonly all: readonly Camera[]
  /** Only one can be chosen. */
  readonly single: boolean
  readonly onChoose: (names: readonly string[], at: string) => void
}

/** The choice of cameras and of the day. */
export function HistoryBar({ player, all, single, onChoose }: HistoryBarProps) {
  const { names, at, now, oldest, recorded, go, goToNow } = player
  const { history } = useTexts('history')
  const [month, setMonth] = useState(recorded.day.from)
  const { days: daysOfMonth } = useRecordedDays(names, month)
  const goToSameTimeOn = (name: string) => {
    const moment = sameTimeOnDay(at, name)
    if (moment !== undefined) go(moment)
  }
  return (
    <div className={classes.bar}>
      <CameraPicker cameras={all} chosen={names} single={single} onChoose={(next) => onChoose(next, isoTime(at))} />
      <div className={classes.when}>
        <DayPicker
          at={at}
          now={now}
          oldest={oldest}
          recorded={new Set([...(recorded.days ?? []), ...(daysOfMonth ?? [])])}
          onStep={(step) => go(sameTimeOn(at, step))}
          onDay={goToSameTimeOn}
          onMonth={setMonth}
        />
        <Button variant="subtle" h={44} px={12} onClick={goToNow}>
          {history.now}
        </Button>
      </div>
    </div>
  )
}
