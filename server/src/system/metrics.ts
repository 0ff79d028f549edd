import type { Metric, Sample } from './prometheus-format.ts'
import type { CameraStats, ServiceStats } from './stats-response.ts'

/** Counters that {@link CameraStats} doesn't contain. */
export interface Counters {
  /** CPU seconds by camera. */
  readonly cameraCpu: ReadonlyMap<string, number>
  readonly ownCpu: number
}

const databaseMetrics = ({ healthy, size, free }: ServiceStats['database']): Metric[] => [
  gauge('gatehouse_database_up', 'Whether the database is writable.', one(Number(healthy))),
  gauge('gatehouse_database_size_bytes', 'Size of the database on its disk, bytes.', one(size)),
  gauge(
    'gatehouse_database_free_bytes',
    'Space in the database file that is free for new rows, bytes; SQLite only.',
    one(free),
  ),
]

const outputMetrics = (outputs: ServiceStats['audit_outputs']): Metric[] => [
  gauge(
    'gatehouse_audit_output_up',
    'Whether the output of the audit log works.',
    outputs.map(({ name, state }) => ({ labels: { output: name }, value: Number(state === 'ok') })),
  ),
  gauge(
    'gatehouse_audit_output_waiting',
    'Audit log entries not written to the output yet.',
    outputs.map(({ name, waiting }) => ({ labels: { output: name }, value: waiting })),
  ),
]

const providerUp = (provider: ServiceStats['identity_provider']): Sample[] =>
  !provider || provider.state === 'unknown' ? [] : one(Number(provider.state === 'ok'))

const mediaMetrics = ({ media, object_storage: storage }: ServiceStats): Metric[] => [
  gauge('gatehouse_media_size_bytes', 'Size of the recordings disk, bytes.', one(media?.total)),
  gauge('gatehouse_media_free_bytes', 'Free space on the recordings disk, bytes.', one(media?.free)),
  gauge(
    'gatehouse_object_storage_up',
    'Whether the last request to the object storage succeeded.',
    one(storage && Number(storage.state === 'ok')),
  ),
]

function cameraMetrics(cameras: readonly CameraStats[], cpuSeconds: Counters['cameraCpu']): Metric[] {
  const each = (valueOf: (camera: CameraStats) => number | null | undefined): Sample[] =>
    cameras.flatMap((camera) => {
      const value = valueOf(camera)
      return value === null || value === undefined ? [] : [{ labels: { camera: camera.name }, value }]
    })

  return [
    gauge(
      'gatehouse_camera_enabled',
      'Whether the camera is enabled.',
      each(({ state }) => Number(state !== 'disabled')),
    ),
    gauge(
      'gatehouse_camera_online',
      'Whether the camera sends video.',
      each(({ state }) => Number(state === 'online')),
    ),
    gauge(
      'gatehouse_camera_recording',
      'Whether the camera is being recorded.',
      each(({ recording_state }) => Number(recording_state === 'recording')),
    ),
    gauge(
      'gatehouse_camera_recording_paused',
      'Whether recording is paused because of a problem.',
      each(({ recording_state }) => Number(recording_state === 'paused')),
    ),
    gauge(
      'gatehouse_camera_state_changed_seconds',
      'Time of the last state change, Unix seconds.',
      each(({ state_changed_at }) => seconds(state_changed_at)),
    ),
    gauge(
      'gatehouse_camera_viewers',
      'Open live views.',
      each(({ viewers }) => viewers),
    ),
    counter(
      'gatehouse_camera_restarts_total',
      'Restarts of the camera stream.',
      each(({ restarts }) => restarts),
    ),
    counter(
      'gatehouse_camera_received_bytes_total',
      'Live video received, bytes.',
      each(({ received_bytes }) => received_bytes),
    ),
    gauge(
      'gatehouse_camera_frames_per_second',
      'Frames per second.',
      each(({ fps }) => fps),
    ),
    counter(
      'gatehouse_camera_cpu_seconds_total',
      'CPU time used by the ffmpeg that reads the camera, seconds; starts at 0 with each ffmpeg process.',
      each(({ name }) => cpuSeconds.get(name)),
    ),
    gauge(
      'gatehouse_camera_memory_bytes',
      'Resident memory of the ffmpeg that reads the camera, bytes.',
      each(({ memory }) => memory),
    ),
  ]
}

/** All metrics. Names and base units follow the Prometheus conventions. */
export function metricsOf(service: ServiceStats, cameras: readonly CameraStats[], counters: Counters): Metric[] {
  return [
    gauge('gatehouse_build_info', 'Version of the service as labels; always 1.', [
      { labels: { version: service.version, node: service.node, platform: service.platform }, value: 1 },
    ]),
    gauge('process_start_time_seconds', 'Start time of the service, Unix seconds.', one(seconds(service.started_at))),
    counter('process_cpu_seconds_total', 'CPU time used by the service itself, seconds.', one(counters.ownCpu)),
    gauge('process_resident_memory_bytes', 'Resident memory of the service itself, bytes.', one(service.memory)),
    gauge('gatehouse_open_streams', 'Open streams on both ports.', one(service.open_streams)),
    ...databaseMetrics(service.database),
    ...outputMetrics(service.audit_outputs),
    gauge(
      'gatehouse_identity_provider_up',
      'Whether the identity provider worked when it was last asked.',
      providerUp(service.identity_provider),
    ),
    ...mediaMetrics(service),
    ...cameraMetrics(cameras, counters.cameraCpu),
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
