import { useEffect, useRef, useState } from 'react'
import { ApiError, send } from '../api/api.ts'
import { cameraPath } from './queries.ts'
import { takenAt } from './taken-at.ts'

/** The latest snapshot of a camera. */
export interface Snapshot {
  readonly url: string
  /** Unix milliseconds by this browser's clock, right or wrong; undefined if the service sent no time. */
  readonly at: number | undefined
  /** The requested path, and the version received. */
  readonly path: string
  readonly etag: string | undefined
}

export interface SnapshotProps {
  /** Must not change while the component is mounted. */
  readonly camera: string
  /** Approximate height, pixels. */
  readonly height: number
  /** Milliseconds between snapshots; undefined for a single one. */
  readonly every: number | undefined
  /** Whether the user can see the snapshot. */
  readonly seen?: boolean
}

/** Keeps a snapshot of a camera while it is seen: the first immediately, then one every `every` milliseconds. */
export function useSnapshot({ camera, height, every, seen = true }: SnapshotProps): Snapshot | undefined {
  const [snapshot, setSnapshot] = useState<Snapshot>()
  const shown = useRef<Snapshot>(undefined)

  useEffect(
    () => () => {
      if (shown.current) URL.revokeObjectURL(shown.current.url)
      shown.current = undefined
    },
    [],
  )

  useEffect(() => {
    if (!seen) return undefined
    const leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined

    const load = async (first: boolean) => {
      const path = `${cameraPath(camera)}/latest.jpg?height=${height}`
      const next = await fetchSnapshot(path, shown.current, leave.signal)
      if (leave.signal.aborted) return
      if (next !== 'same') {
        if (shown.current) URL.revokeObjectURL(shown.current.url)
        shown.current = next
        setSnapshot(next)
      }
      // The tiles of a grid start together; a random first delay spreads their requests.
      if (every !== undefined)
        timer = setTimeout(() => void load(false), first ? every * (0.5 + Math.random() / 2) : every)
    }
    void load(true)

    return () => {
      leave.abort()
      clearTimeout(timer)
    }
  }, [camera, height, every, seen])

  return snapshot
}

/** Fetches the snapshot. `same`: the shown one is still the latest. undefined: the user lost access to the camera. */
async function fetchSnapshot(
  path: string,
  shown: Snapshot | undefined,
  signal: AbortSignal,
): Promise<Snapshot | 'same' | undefined> {
  try {
    const before = shown?.path === path ? shown.etag : undefined
    const response = await send(path, { signal, ifNoneMatch: before })
    if (response.status === 304) return 'same'
    const jpeg = await response.blob()
    if (signal.aborted) return 'same'
    const etag = response.headers.get('etag') ?? undefined
    return { url: URL.createObjectURL(jpeg), at: takenAt(response.headers, Date.now()), path, etag }
  } catch (error) {
    // If the service has no snapshot or does not respond, the last one stays.
    const refused = error instanceof ApiError && [401, 403, 404].includes(error.failure.status)
    return refused ? undefined : 'same'
  }
}
