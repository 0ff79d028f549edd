import { ownStream } from '../media/own-stream.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import type { MotionStatus, RecordingStatus } from './camera-response.ts'

/** A feature that works on the live streams of all cameras. */
interface StreamFeature<Status> {
  /** Receives a camera's live stream as long as this instance pulls it. */
  consumerOf(camera: string): StreamConsumer
  /** Shown in the camera's response. */
  statusOf(camera: string): Status
  /** Calls the listener with the camera whose status has changed. */
  subscribe(listener: (camera: string) => void): void
}

/** The features that consume the live streams of all cameras. */
export interface ConsumingFeatures {
  readonly recordings: StreamFeature<RecordingStatus>
  readonly motion: StreamFeature<MotionStatus>
  readonly review: Pick<StreamFeature<never>, 'consumerOf'>
}

/** The features, as a camera needs them. They are connected before the first camera exists. */
export interface StreamFeatures {
  connect(features: ConsumingFeatures): void
  consumersOf(camera: string): StreamConsumer[]
  recordingOf(camera: string): RecordingStatus
  motionOf(camera: string): MotionStatus
  /** Calls the listener with the camera whose recording or motion detection has changed. */
  subscribe(listener: (camera: string) => void): void
}

/** @param isHere whether this instance pulls a camera now */
export function createStreamFeatures(isHere: (camera: string) => boolean): StreamFeatures {
  let connected: ConsumingFeatures | undefined
  const features = (): ConsumingFeatures => {
    if (!connected) throw new Error('a camera exists before its features')
    return connected
  }
  return {
    connect: (next) => void (connected = next),
    consumersOf(camera) {
      const { recordings, review, motion } = features()
      return [recordings, review, motion].map((feature) => ownStream(feature.consumerOf(camera), () => isHere(camera)))
    },
    recordingOf: (camera) => features().recordings.statusOf(camera),
    motionOf: (camera) => features().motion.statusOf(camera),
    subscribe(listener) {
      const { recordings, motion } = features()
      recordings.subscribe(listener)
      motion.subscribe(listener)
    },
  }
}
