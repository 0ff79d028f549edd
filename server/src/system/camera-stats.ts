import type { CameraFigures } from './camera-figures.ts'
import { memoryOf } from './process-usage.ts'
import type { Samples } from './samples.ts'
import type { CameraStats } from './stats-response.ts'
import { timestampOf } from '../shared/http/timestamp.ts'

export function cameraStats(
  { since, bytes, pid, detail, reason, ...figures }: CameraFigures,
  samples: Pick<Samples, 'cpuOf' | 'receivedOf'>,
): CameraStats {
  const perSecond = figures.state === 'online' ? samples.receivedOf(figures.name) : null
  return {
    name: figures.name,
    title: figures.title,
    state: figures.state,
    state_changed_at: timestampOf(since),
    ...(detail !== undefined && { detail }),
    ...(reason && { reason }),
    resolution: figures.resolution,
    fps: figures.fps,
    codec: figures.codec,
    recording_state: figures.recording_state,
    viewers: figures.viewers,
    restarts: figures.restarts,
    received_bytes: bytes,
    bitrate: perSecond === null ? null : Math.round(perSecond * 8),
    cpu: pid === undefined ? null : samples.cpuOf(pid),
    memory: (pid === undefined ? undefined : memoryOf(pid)) ?? null,
  }
}
