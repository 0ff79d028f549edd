import type { Clock } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import { canceled, type SnapshotNeed } from '../media/ffmpeg/decoding-queue.ts'
import type { Frame, JpegEncoder } from '../media/ffmpeg/jpeg-encoder.ts'
import { keptFor, type JpegOutputs } from '../media/live/jpeg-outputs.ts'
import { serviceItself, type Requester } from '../shared/requester.ts'
import type { CameraStatus } from './camera-state.ts'
import type { SharedCamera } from './shared-camera.ts'
import type { CameraReasons } from './reasons.ts'

export interface Snapshot {
  readonly jpeg: Buffer
  /** Arrival time of its frame, Unix milliseconds. */
  readonly at: number
}

/** The client that requests a snapshot. */
export interface SnapshotCaller {
  /** Aborted once the client needs none anymore. */
  readonly signal: AbortSignal
  readonly requester: Requester
}

export interface Snapshots {
  /**
   * The newest snapshot, at most `height` pixels high; at most a second older than the newest frame.
   *
   * @param isKnown called with the time of the newest frame; if it returns true, the result is undefined.
   * @param caller default: the service itself. A snapshot that no one needs anymore isn't decoded.
   */
  latest(height?: number, isKnown?: (at: number) => boolean, caller?: SnapshotCaller): Promise<Snapshot | undefined>
  /** Drops what was made, because the camera shows something else now. */
  forget(): void
}

export interface SnapshotsDeps {
  readonly camera: Pick<SharedCamera, 'status' | 'latestFrame'>
  readonly jpegEncoder: JpegEncoder
  /** The JPEG of the newest frame from a decoder that keeps running; undefined if there is none that can give it. */
  readonly liveJpeg: JpegOutputs['newest']
  /** The stored frame of an earlier run, for a camera not reached in this run. */
  readonly kept: () => Promise<Frame | undefined>
  readonly clock: Clock
}

interface Made {
  readonly snapshot: Promise<Snapshot>
  readonly at: number
  /** {@link Clock.elapsed}. */
  readonly since: number
  readonly need: Need['add']
}

/** The callers that need a snapshot. Its signal is aborted once all have gone, unless the snapshot has been made. */
interface Need extends SnapshotNeed {
  add(caller: SnapshotCaller | undefined): void
  /** The snapshot has been made. */
  end(): void
}

function createNeed(): Need {
  const abandoned = new AbortController()
  const callers = new Set<Pick<SnapshotCaller, 'requester'>>()
  let isMade = false
  return {
    signal: abandoned.signal,
    get requesters() {
      return [...callers].map(({ requester }) => requester)
    },
    add(caller) {
      const added = { requester: caller?.requester ?? serviceItself }
      callers.add(added)
      const leave = (): void => {
        callers.delete(added)
        if (callers.size === 0 && !isMade) abandoned.abort()
      }
      if (caller?.signal.aborted) leave()
      else caller?.signal.addEventListener('abort', leave, { once: true })
    },
    end: () => void (isMade = true),
  }
}

/** Milliseconds for which a snapshot is reused though newer frames exist, and number of heights cached. */
const cacheLimits = { time: 1000, heights: 8 }

/**
 * Requests for the same snapshot share one decoding. A single one starts a decoder of its own; one that follows within
 * seconds uses one that keeps running, as a program that polls does: starting ffmpeg costs most of it.
 */
export function createSnapshots({ camera, jpegEncoder, liveJpeg, kept, clock }: SnapshotsDeps): Snapshots {
  const made = new Map<number | undefined, Made>()
  const jpegOf = async (
    frame: Frame,
    height: number | undefined,
    before: Made | undefined,
    need: SnapshotNeed,
  ): Promise<Buffer> => {
    const isRepeated = before !== undefined && clock.elapsed() - before.since < keptFor
    const live = isRepeated ? await liveJpeg(height, frame.at) : undefined
    return live ?? jpegEncoder.jpegOf(frame, height, need)
  }
  return {
    async latest(height, isKnown, caller) {
      const { status } = camera
      const frame = status.state === 'disabled' ? undefined : ((await camera.latestFrame()) ?? (await kept()))
      if (!frame) {
        throw noFrame(status)
      }
      const before = made.get(height)
      const fresh = before && (before.at === frame.at || clock.elapsed() - before.since < cacheLimits.time)
      if (isKnown?.(fresh ? before.at : frame.at)) return undefined
      // A snapshot that is begun for no one would be canceled for those who join it.
      if (caller?.signal.aborted) throw canceled()
      if (fresh) {
        before.need(caller)
        return before.snapshot
      }
      const need = createNeed()
      need.add(caller)
      const snapshot = jpegOf(frame, height, before, need).then((jpeg) => ({ jpeg, at: frame.at }))
      const entry: Made = { snapshot, at: frame.at, since: clock.elapsed(), need: need.add }
      made.delete(height)
      made.set(height, entry)
      for (const oldest of made.keys()) if (made.size > cacheLimits.heights) made.delete(oldest)
      const drop = (): void => {
        if (made.get(height) === entry) made.delete(height)
      }
      need.signal.addEventListener('abort', drop)
      snapshot.then(need.end, drop)
      return snapshot
    },
    forget: () => made.clear(),
  }
}

/** Error for a missing snapshot, with the reason. */
export const noFrame = ({ problem, state }: Pick<CameraStatus, 'problem' | 'state'>): ServiceError =>
  new ServiceError<CameraReasons>('unavailable', {
    reason: 'no-frame',
    note: problem?.message ?? noteOf[state],
    retryAfter: 5,
  })

const noteOf = {
  online: undefined,
  connecting: 'The camera is being connected.',
  offline: 'The camera is offline.',
  disabled: 'The camera is disabled.',
}
