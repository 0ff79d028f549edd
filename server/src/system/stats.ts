import type { CameraScope } from '../access/grant.ts'
import { answer, route, type Route } from '../http/route.ts'
import type { Clock, Timers } from '../shared/clock.ts'
import type { ReasonResponse } from '../shared/message-schema.ts'
import { createDiskLook } from './disk.ts'
import { metricsOf } from './metrics.ts'
import { createRateSampler } from './rate-sampler.ts'
import { cpuSecondsOf, memoryOf } from './process-usage.ts'
import { prometheusText, prometheusType } from './prometheus-format.ts'
import { Stats, type CameraStats, type ServiceStats } from './stats-view.ts'

/** Current data of a camera. */
export interface CameraFigures {
  readonly name: string
  readonly title: string
  readonly state: CameraStats['state']
  /** Unix milliseconds. */
  readonly since: number
  readonly detail?: string
  readonly reason?: ReasonResponse
  readonly resolution: string | null
  readonly fps: number | null
  readonly codec: string | null
  readonly recording_state: CameraStats['recording_state']
  readonly viewers: number
  readonly restarts: number
  /** Bytes received so far. */
  readonly bytes: number
  /** Process id of the ffmpeg that reads the camera. */
  readonly pid: number | undefined
}

export interface StatsDeps {
  readonly version: string
  readonly cameras: (scope: CameraScope) => readonly CameraFigures[]
  readonly everyCamera: () => readonly CameraFigures[]
  readonly openStreams: () => number
  readonly database: { readonly engine: ServiceStats['database']['engine']; readonly healthy: () => Promise<boolean> }
  readonly mediaDir: string
  readonly clock: Clock & Timers
}

export interface StatsRoutes {
  readonly routes: readonly Route[]
  stop(): void
}

/** Milliseconds between two samples. */
const interval = 5000

/** Statistics of the cameras and the service, as JSON and in the Prometheus text format. */
export function createStats(deps: StatsDeps): StatsRoutes {
  const { version, cameras, everyCamera, openStreams, database, mediaDir, clock } = deps
  const startedAt = new Date(clock.now() - process.uptime() * 1000).toISOString()
  const disk = createDiskLook(mediaDir)
  const cpu = createRateSampler({
    counters: () => {
      const used = new Map([[process.pid, ownCpu()]])
      for (const { pid } of everyCamera()) {
        const seconds = pid === undefined ? undefined : cpuSecondsOf(pid)
        if (pid !== undefined && seconds !== undefined) used.set(pid, seconds)
      }
      return used
    },
    clock,
    every: interval,
  })
  const received = createRateSampler({
    counters: () => new Map(everyCamera().map(({ name, bytes }) => [name, bytes])),
    clock,
    every: interval,
  })

  const percentOf = (pid: number): number | null => {
    const seconds = cpu.perSecond(pid)
    return seconds === null ? null : Math.round(seconds * 1000) / 10
  }
  const cameraStats = ({ since, bytes, pid, detail, reason, ...figures }: CameraFigures): CameraStats => {
    const perSecond = figures.state === 'online' ? received.perSecond(figures.name) : null
    return {
      name: figures.name,
      title: figures.title,
      state: figures.state,
      state_changed_at: new Date(since).toISOString(),
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
      cpu: pid === undefined ? null : percentOf(pid),
      memory: (pid === undefined ? undefined : memoryOf(pid)) ?? null,
    }
  }
  const serviceStats = async (): Promise<ServiceStats> => {
    const [healthy, media] = await Promise.all([database.healthy(), disk()])
    return {
      version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      started_at: startedAt,
      uptime: Math.floor(process.uptime()),
      cpu: percentOf(process.pid),
      memory: process.memoryUsage.rss(),
      open_streams: openStreams(),
      database: { engine: database.engine, healthy },
      media,
    }
  }

  const routes = [
    route({
      method: 'GET',
      path: '/api/stats',
      access: { cameras: 'cameras.watch', details: 'system.read' },
      schema: {
        summary: 'Get statistics of each camera, and of the service if the caller has `system.read`.',
        response: { 200: Stats },
      },
      handle: async (_input, { scope, seesDetails }): Promise<Stats> => ({
        cameras: cameras(scope).map(cameraStats),
        ...(seesDetails && { service: await serviceStats() }),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/metrics',
      access: { service: 'system.read' },
      schema: { summary: 'Get metrics in the Prometheus text format 0.0.4.', otherResponses: { 200: 'text/plain' } },
      handle: async (_input, { scope }) => {
        const service = await serviceStats()
        const seen = cameras(scope)
        const cameraCpu = new Map(
          seen.flatMap(({ name, pid }) => {
            const seconds = pid === undefined ? undefined : cpuSecondsOf(pid)
            return seconds === undefined ? [] : [[name, seconds] as const]
          }),
        )
        const metrics = metricsOf(service, seen.map(cameraStats), { cameraCpu, ownCpu: ownCpu() })
        return answer({ body: prometheusText(metrics), headers: { 'content-type': prometheusType } })
      },
    }),
  ]

  return {
    routes,
    stop() {
      cpu.stop()
      received.stop()
    },
  }
}

/** CPU seconds used by the service itself. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
