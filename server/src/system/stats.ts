import type { CameraScope } from '../access/grant.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { Clock, Timers } from '../shared/time/clock.ts'
import type { Objects, ObjectStorageStatus } from '../shared/storage/objects.ts'
import type { CameraFigures } from './camera-figures.ts'
import { cameraStats } from './camera-stats.ts'
import { createDiskCheck } from './disk.ts'
import { metricsOf } from './metrics.ts'
import { cpuSecondsOf, ownCpuSeconds } from './process-usage.ts'
import { prometheusText, prometheusType } from './prometheus-format.ts'
import { createSamples } from './samples.ts'
import { Stats, type ServiceStats } from './stats-response.ts'
import { timestampOf } from '../shared/http/timestamp.ts'

/** How an output of the audit log is doing; times in Unix milliseconds. */
export interface OutputFigures {
  readonly name: string
  readonly problem?: { readonly detail: string; readonly since: number }
  readonly waiting: number
  readonly missed: number
}

/** The identity provider that users sign in with. */
export interface ProviderFigures {
  readonly name: string
  readonly state: 'ok' | 'failing' | 'unknown'
  /** Unix milliseconds. */
  readonly since?: number
  readonly setting?: string
}

export interface StatsDeps {
  readonly version: string
  readonly cameras: (scope: CameraScope) => readonly CameraFigures[]
  readonly everyCamera: () => readonly CameraFigures[]
  readonly openStreams: () => number
  readonly database: {
    readonly engine: ServiceStats['database']['engine']
    readonly healthy: () => Promise<boolean>
    /** Bytes; undefined if the database can't be read, `free` also if it's unknown. */
    readonly size: () => Promise<{ readonly size: number; readonly free: number | undefined } | undefined>
  }
  readonly objects: Pick<Objects, 'configured' | 'status'>
  readonly auditOutputs: () => readonly OutputFigures[]
  /** null: there is none. */
  readonly identityProvider: () => ProviderFigures | null
  readonly mediaDir: string
  readonly clock: Clock & Timers
}

export interface StatsRoutes {
  readonly routes: readonly Route[]
  stop(): void
}

/** Statistics of the cameras and the service, as JSON and in the Prometheus text format. */
export function createStats(deps: StatsDeps): StatsRoutes {
  const { version, cameras, everyCamera, openStreams, database, auditOutputs, objects, mediaDir, clock } = deps
  const startedAt = timestampOf(clock.now() - process.uptime() * 1000)
  const disk = createDiskCheck(mediaDir)
  const samples = createSamples({ everyCamera, clock })
  const statsOf = (figures: CameraFigures) => cameraStats(figures, samples)
  const serviceStats = async (): Promise<ServiceStats> => {
    const [healthy, bytes, media] = await Promise.all([database.healthy(), database.size(), disk()])
    return {
      version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      started_at: startedAt,
      uptime: Math.floor(process.uptime()),
      cpu: samples.cpuOf(process.pid),
      memory: process.memoryUsage.rss(),
      open_streams: openStreams(),
      database: { engine: database.engine, healthy, size: bytes?.size ?? null, free: bytes?.free ?? null },
      audit_outputs: auditOutputs().map(outputStats),
      identity_provider: providerStats(deps.identityProvider()),
      object_storage: objects.configured() ? objectStorageStats(objects.status()) : null,
      media,
    }
  }

  const routes = [
    route({
      method: 'GET',
      path: '/api/stats',
      access: { cameras: 'any', details: 'system.read' },
      schema: {
        summary: 'Get statistics of each camera, and of the service if the caller has `system.read`.',
        response: { 200: Stats },
      },
      handle: async (_input, { scope, seesDetails }): Promise<Stats> => ({
        cameras: cameras(scope).map(statsOf),
        ...(seesDetails && { service: await serviceStats() }),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/metrics',
      access: { service: 'system.read', about: 'no-camera' },
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
        const metrics = metricsOf(service, seen.map(statsOf), { cameraCpu, ownCpu: ownCpuSeconds() })
        return respond({ body: prometheusText(metrics), headers: { 'content-type': prometheusType } })
      },
    }),
  ]

  return { routes, stop: samples.stop }
}

const providerStats = (provider: ProviderFigures | null): ServiceStats['identity_provider'] => {
  if (!provider) return null
  const { since, ...figures } = provider
  return { ...figures, ...(since !== undefined && { since: since / 1000 }) }
}

const objectStorageStats = ({ since, ...status }: ObjectStorageStatus): ServiceStats['object_storage'] => ({
  ...status,
  ...(since !== undefined && { since: since / 1000 }),
})

const outputStats = ({ problem, ...figures }: OutputFigures): ServiceStats['audit_outputs'][number] => ({
  ...figures,
  state: problem ? 'failing' : 'ok',
  ...(problem && { detail: problem.detail, since: problem.since / 1000 }),
})
