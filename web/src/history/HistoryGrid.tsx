import { Button } from '@mantine/core'
import { IconClockOff, IconDownload, IconPlugConnectedX } from '@tabler/icons-react'
import { titleOf } from '../cameras/queries.ts'
import { RecordingVideo } from '../playback/RecordingVideo.tsx'
import type { Camera } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { useCan } from '../session/session.ts'
import { clipUrl } from './recorded/queries.ts'
import classes from './HistoryGrid.module.css'
import { spanAt } from './recorded/spans.ts'
import type { Playback, TilePlay } from './player/usePlayback.ts'
import type { Recorded } from './recorded/useRecorded.ts'

interface HistoryGridProps {
  readonly cameras: readonly Camera[]
  /** How many times the user got the camera back after losing it. Each time, its video starts again. */
  readonly returnsOf: (name: string) => number
  readonly at: number
  /** Each camera's recordings of the day, in the order of `cameras`; undefined while loading. */
  readonly recorded: readonly (Recorded | undefined)[]
  readonly tiles: readonly TilePlay[]
  readonly muted: boolean
  readonly play: Pick<Playback, 'onTime' | 'onState' | 'onEnd'>
  readonly onEnded: (camera: string) => void
}

/** Seconds of the file offered if the browser cannot play the recordings. */
const fileLength = 300

/** The same time on each camera. */
export function HistoryGrid({ cameras, returnsOf, at, recorded, tiles, muted, play, onEnded }: HistoryGridProps) {
  const { history } = useTexts('history')
  const mayDownload = useCan('download')

  return (
    <div className={classes.grid} data-count={cameras.length}>
      {cameras.map((camera, index) => {
        const tile = tiles[index]
        const title = titleOf(camera)
        return (
          tile && (
            <div key={camera.name} className={classes.tile} data-tile={camera.name}>
              <div hidden={tile.blank}>
                <RecordingVideo
                  key={returnsOf(camera.name)}
                  camera={camera.name}
                  label={history.recordingOf({ title })}
                  from={0}
                  to={tile.to}
                  place={tile.place}
                  playing={tile.playing}
                  rate={tile.rate}
                  // Only the first of several cameras has audio; otherwise the user couldn't know which camera they hear.
                  muted={muted || index > 0}
                  onTime={(moment) => play.onTime(camera.name, moment)}
                  onEnd={(moment) => play.onEnd(camera.name, moment)}
                  onState={(state) => {
                    play.onState(camera.name, state)
                    if (state.kind === 'ended' && state.reason !== 'session') onEnded(camera.name)
                  }}
                  unplayable={
                    mayDownload && (
                      <Button
                        component="a"
                        variant="default"
                        mt={8}
                        href={clipUrl(camera.name, { from: Math.floor(at), to: Math.floor(at) + fileLength })}
                        download=""
                        leftSection={<IconDownload size={18} aria-hidden />}
                      >
                        {history.downloadFive}
                      </Button>
                    )
                  }
                />
              </div>
              {tile.blank && <Blank isAway={spanAt(recorded[index]?.unavailable ?? [], at) !== undefined} />}
              {cameras.length > 1 && <span className={classes.title}>{title}</span>}
            </div>
          )
        )
      })}
    </div>
  )
}

/** Nothing to play at this time. `isAway`: the recording is on a disk that can't be reached. */
function Blank({ isAway }: { isAway: boolean }) {
  const { history, playback } = useTexts('history', 'playback')
  const Icon = isAway ? IconPlugConnectedX : IconClockOff
  return (
    <div className={classes.blank}>
      <Icon size={24} stroke={1.5} aria-hidden />
      <span>{isAway ? history.unavailableTile : playback.nothing}</span>
    </div>
  )
}
