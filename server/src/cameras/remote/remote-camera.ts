import { streamProblem } from '../../media/ffmpeg/reason.ts'
import type { Broadcaster } from '../../media/live/broadcaster.ts'
import type { PullPlace } from '../../shared/cluster/camera-leases.ts'
import type { StopTimer } from '../../shared/time/clock.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import type { Random } from '../../shared/random.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { CameraStatus } from '../camera-state.ts'
import { liveNotice } from '../live-notice.ts'
import { statusOf, type ReportedCamera } from './camera-report.ts'
import { createRemoteVideo, type RemoteVideo } from './remote-video.ts'
import type { ReportedCameras } from './reported-cameras.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** What is needed to show cameras that other instances pull. */
export interface OtherInstances {
  readonly client: InnerClient
  readonly reports: ReportedCameras
  readonly keyOf: (camera: string) => CameraKey
}

export interface RemoteCameraDeps extends Runtime {
  readonly name: string
  readonly others: OtherInstances
  readonly broadcaster: Pick<Broadcaster, 'begin' | 'push' | 'end' | 'held'>
  readonly random: Random
  /** The status or what is reported has changed. */
  readonly onChange: () => void
}

/** Where a camera is that this instance doesn't pull. */
export type Elsewhere = Exclude<PullPlace, { readonly kind: 'here' }>

/** A camera that another instance pulls, as this one shows it. */
export interface RemoteCamera extends Pick<RemoteVideo, 'demand' | 'frame' | 'forget'> {
  /** Shows the camera at this place from now on; undefined: it isn't elsewhere. Viewers stay. */
  show(place: Elsewhere | undefined): void
  readonly status: CameraStatus
  /** What the instance that pulls the camera reports; undefined if nothing is known. */
  readonly reported: ReportedCamera | undefined
}

/** Milliseconds until a camera that no instance pulls is offline. Another instance takes over earlier. */
const takeover = 15_000

const noVideo = { resolution: null, fps: null, codec: null }
const connecting: CameraStatus = { state: 'connecting', ...noVideo }
const offline = (reason: 'instance-away' | 'no-instance'): CameraStatus => ({
  state: 'offline',
  problem: streamProblem(reason),
  ...noVideo,
})

export function createRemoteCamera(deps: RemoteCameraDeps): RemoteCamera {
  const { name, others, broadcaster, clock, log, random, onChange } = deps
  let place: Elsewhere | undefined
  let key = others.keyOf(name)
  let isLate = false
  let stopTimer: StopTimer | undefined
  let unsubscribe: (() => void) | undefined
  let shown = ''

  const known = () => (place?.kind === 'elsewhere' ? others.reports.of(place.instance, key) : 'unknown')
  const reported = (): ReportedCamera | undefined => {
    const now = known()
    return now === 'unknown' || now === 'away' ? undefined : now
  }
  const status = (): CameraStatus => {
    const now = known()
    if (now === 'away') return offline('instance-away')
    if (now !== 'unknown') return statusOf(now)
    return isLate ? offline('no-instance') : connecting
  }
  const { from, ...video } = createRemoteVideo({
    camera: () => key,
    client: others.client,
    broadcaster,
    awayNotice: () => liveNotice(offline('instance-away')),
    clock,
    log,
    random,
  })
  const update = (): void => {
    const now = status()
    const next = JSON.stringify([now, reported()])
    if (next === shown) return
    shown = next
    if (now.state === 'offline')
      log.debug({ camera: name, reason: now.problem.message }, 'camera of another instance offline')
    // The stream says itself why it ends.
    if (!broadcaster.held) broadcaster.end(liveNotice(now))
    onChange()
  }
  const waitForOwner = (): void => {
    isLate = false
    stopTimer = clock.after(takeover, () => {
      isLate = true
      update()
    })
  }

  return {
    show(next) {
      stopTimer?.()
      unsubscribe?.()
      unsubscribe = undefined
      place = next
      isLate = false
      shown = ''
      from(next?.kind === 'elsewhere' ? next.instance : undefined)
      if (!next) return
      key = others.keyOf(name)
      if (next.kind === 'nowhere') {
        broadcaster.end(liveNotice(connecting))
        waitForOwner()
      } else {
        const { instance } = next
        unsubscribe = others.reports.subscribe((of, camera) => {
          if (of === instance && (camera === undefined || camera === key)) update()
        })
      }
      update()
    },
    get status() {
      return status()
    },
    get reported() {
      return reported()
    },
    ...video,
  }
}
