import type { Broadcaster } from '../../media/live/broadcaster.ts'
import type { Frame } from '../../media/ffmpeg/jpeg-encoder.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import type { Random } from '../../shared/random.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { createDemand } from './demand.ts'
import { keepReading } from './keep-reading.ts'
import type { StreamReceiver } from './read-stream.ts'
import { createFrameRequests } from './requested-frame.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export interface RemoteVideoDeps extends Runtime {
  /** Key of the camera. */
  readonly camera: () => CameraKey
  readonly client: InnerClient
  readonly broadcaster: Pick<Broadcaster, 'begin' | 'push' | 'end' | 'held'>
  /** For viewers while the other instance can't be reached. */
  readonly awayNotice: () => string
  readonly random: Random
}

/** The live video of one camera that another instance pulls: one stream, whatever the number of viewers. */
export interface RemoteVideo {
  /** Reads from this instance from now on; undefined: from none. Viewers stay. */
  from(instance: string | undefined): void
  /** Keeps the stream open. @returns a function that gives it up */
  demand(): () => void
  /** The newest frame: of the stream, or requested from the other instance, or the last one if that can't be reached. */
  frame(): Promise<Frame | undefined>
  /** The source is another one: no frame that is known now is shown anymore. */
  forget(): void
}

/** Milliseconds: how long the stream stays open after the last viewer, and silence after which a connection has failed. */
const { keep, silence } = { keep: 10_000, silence: 6_000 }

export function createRemoteVideo({ camera, broadcaster, awayNotice, ...deps }: RemoteVideoDeps): RemoteVideo {
  const { clock } = deps
  let instance: string | undefined
  let abort: AbortController | undefined
  let last: Frame | undefined
  /** Whether the stream began before the source changed. */
  let isFormer = false
  const newRequests = () => createFrameRequests({ ...deps, silence })
  let requestFrame = newRequests()

  const keepFrame = (): boolean => {
    const { held } = broadcaster
    if (!held || isFormer) return false
    last = { mp4: [held.init.data, held.key.data], at: held.at }
    return true
  }
  const end = (notice: string): void => {
    keepFrame()
    broadcaster.end(notice)
  }
  const receiver: StreamReceiver = {
    begin(init) {
      isFormer = false
      broadcaster.begin(init)
    },
    fragment: (fragment) => broadcaster.push(fragment, clock.now()),
    notice: end,
  }
  const open = (): void => {
    if (instance === undefined) return
    abort = new AbortController()
    const stream = { instance, camera: camera(), receiver, onFailure: () => end(awayNotice()) }
    void keepReading(stream, abort.signal, { ...deps, silence })
  }
  const close = (): void => {
    abort?.abort()
    abort = undefined
  }
  const closeUnused = (): void => {
    if (!abort) return
    close()
    end('')
  }
  const demand = createDemand({ keep, open, close: closeUnused, clock })

  return {
    from(next) {
      if (next === instance) return
      keepFrame()
      close()
      instance = next
      if (demand.isOpen) open()
    },
    demand: demand.take,
    async frame() {
      if (keepFrame() || instance === undefined) return last
      const [owner, request] = [instance, requestFrame]
      const frame = await request(owner, camera()).catch(() => last)
      // Unless the camera or its source is another one by now.
      if (owner === instance && request === requestFrame) last = frame
      return last
    },
    forget() {
      last = undefined
      isFormer = true
      requestFrame = newRequests()
    },
  }
}
