import { useState } from 'react'
import type { Camera } from '../../../server/src/api-types.ts'
import { useDataSaver } from '../playback/data-saver.ts'
import { whoPlays } from './who-plays.ts'

/** Maximum number of tiles that play concurrently. */
export const maxPlaying = 16

/** Which tiles play video; the others show snapshots. */
export function usePlayingTiles(cameras: readonly Camera[]) {
  const [low, saveLow] = useDataSaver()
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const [tapped, setTapped] = useState<readonly string[]>([])
  const names = cameras.map(({ name }) => name)
  return {
    low,
    setLow(on: boolean) {
      setTapped([])
      saveLow(on)
    },
    /** Names. */
    playing: whoPlays({ names, seen, tapped, low: low.on, max: maxPlaying }),
    /** Names, newest last. */
    tapped,
    /** A tile came into view, or left it. */
    onSeen: ({ name }: Camera, now: boolean) =>
      setSeen((before) => (now ? new Set([...before, name]) : new Set([...before].filter((one) => one !== name)))),
    onTap: ({ name }: Camera, play: boolean) =>
      setTapped((before) => [...before.filter((one) => one !== name), ...(play ? [name] : [])]),
  }
}
