import type { Metric, Sample } from './prometheus-format.ts'
import type { CameraStats, ServiceStats } from './stats-view.ts'

/** What has grown since it began, beside what {@link CameraStats} says. */
export interface Counters {
  /** Seconds of processor by camera. */
  readonly cameraCpu: ReadonlyMap<string, number>
  readonly ownCpu: number
}

/** Everything worth a curve. Names and base units are Prometheus' own habits. */
export function metricsOf(service: ServiceStats, cameras: readonly CameraStats[], counters: Counters): Metric[] {
  const each = (valueOf: (camera: CameraStats) => number | null | undefined): Sample[] =>
    cameras.flatMap((camera) => {
      const value = valueOf(camera)
      return value === null || value === undefined ? [] : [{ labels: { camera: camera.name }, value }]
    })

  return [
    gauge('gatehouse_build_info', 'What runs; always 1.', [
      { labels: { version: service.version, node: service.node, platform: service.platform }, value: 1 },
    ]),
    gauge('process_start_time_seconds', 'When the service started, Unix seconds.', one(seconds(service.started_at))),
    counter('process_cpu_seconds_total', 'Processor time used by the service itself.', one(counters.ownCpu)),
    gauge('process_resident_memory_bytes', 'Memory held by the service itself.', one(service.memory)),
    gauge('gatehouse_open_streams', 'Answers that still flow, on both ports.', one(service.open_streams)),
    gauge('gatehouse_database_up', 'Whether the database can be written.', one(Number(service.database.healthy))),
    gauge('gatehouse_media_size_bytes', 'Size of the disk of recordings.', one(service.media?.total)),
    gauge('gatehouse_media_free_bytes', 'What is free of it.', one(service.media?.free)),
    gauge(
      'gatehouse_camera_enabled',
      'Whether the camera is read at all.',
      each(({ state }) => Number(state !== 'disabled')),
    ),
    gauge(
      'gatehouse_camera_online',
      'Whether pictures come.',
      each(({ state }) => Number(state === 'online')),
    ),
    gauge(
      'gatehouse_camera_recording',
      'Whether what comes is being kept.',
      each(({ recording_state }) => Number(recording_state === 'recording')),
    ),
    gauge(
      'gatehouse_camera_recording_paused',
      'Whether what comes cannot be kept.',
      each(({ recording_state }) => Number(recording_state === 'paused')),
    ),
    gauge(
      'gatehouse_camera_state_changed_seconds',
      'Since when its state is what it is, Unix seconds.',
      each(({ state_changed_at }) => seconds(state_changed_at)),
    ),
    gauge(
      'gatehouse_camera_viewers',
      'Live views open.',
      each(({ viewers }) => viewers),
    ),
    counter(
      'gatehouse_camera_restarts_total',
      'How often reading it had to begin again.',
      each(({ restarts }) => restarts),
    ),
    counter(
      'gatehouse_camera_received_bytes_total',
      'Live picture received.',
      each(({ received_bytes }) => received_bytes),
    ),
    gauge(
      'gatehouse_camera_frames_per_second',
      'Pictures a second.',
      each(({ fps }) => fps),
    ),
    counter(
      'gatehouse_camera_cpu_seconds_total',
      'Processor time used by the ffmpeg that reads it; begins anew with each.',
      each(({ name }) => counters.cameraCpu.get(name)),
    ),
    gauge(
      'gatehouse_camera_memory_bytes',
      'Memory held by the ffmpeg that reads it.',
      each(({ memory }) => memory),
    ),
  ]
}

const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  type: 'gauge',
  name,
  help,
  samples,
})
const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  ...gauge(name, help, samples),
  type: 'counter',
})
const one = (value: number | null | undefined): Sample[] => (value === null || value === undefined ? [] : [{ value }])

const seconds = (at: string) => Date.parse(at) / 1000
