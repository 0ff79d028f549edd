import { useState } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { useDataSaver } from '../../playback/data-saver.ts'
import { playingCameras } from './playing-cameras.ts'

/** Maximum number of tiles that play concurrently. */
export const maxPlaying = 16

/** What a tile reports to its grid. */
export interface TileHandlers {
  /** The tile came into view, or left it. */
  readonly onSeen: (camera: Camera, seen: boolean) => void
  /** The user started or stopped the tile. */
  readonly onTap: (camera: Camera, play: boolean) => void
}

/** Which tiles play video; the others show snapshots. */
export function usePlayingTiles(cameras: readonly Camera[]) {
  const [low, saveLow] = useDataSaver()
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const [tapped, setTapped] = useState<readonly string[]>([])
  const names = cameras.map(({ name }) => name)
  const handlers: TileHandlers = {
    onSeen: ({ name }, now) =>
      setSeen((before) => (now ? new Set([...before, name]) : new Set([...before].filter((one) => one !== name)))),
    onTap: ({ name }, play) =>
      setTapped((before) => [...before.filter((one) => one !== name), ...(play ? [name] : [])]),
  }
  return {
    low,
    setLow(on: boolean) {
      setTapped([])
      saveLow(on)
    },
    /** Names. */
    playing: playingCameras({ names, seen, tapped, low: low.on, max: maxPlaying }),
    /** Names, newest last. */
    tapped,
    ...handlers,
  }
}
