import type { ExportConfig } from './export.config.ts'
import type { Owner } from '../access/identity.ts'
import { ServiceError } from '../shared/errors.ts'
import type { ExportBytes, ExportStore } from './export-store.ts'
import type { ExportShare, ExportUsage } from './export-response.ts'
import type { ExportReasons } from './reasons.ts'

/** Bytes of finished exports, plus the expected bytes of queued and running ones. */
export interface Share {
  readonly used: number
  /** null: no limit. */
  readonly limit: number | null
}

/** Used and available space of exports. Bytes. */
export interface Allowance {
  readonly own: Share
  readonly all: Share
  /** Bytes left on the disk for exports, without the reserve of recordings and the expected bytes of unfinished exports. */
  readonly free: number
}

export interface Quota {
  of(owner: Owner): Promise<Allowance>
}

export interface QuotaDeps {
  readonly store: Pick<ExportStore, 'bytes'>
  readonly limits: () => ExportConfig
  /** Bytes left on the disk for exports, without the expected bytes of unfinished ones. */
  readonly freeBytes: () => Promise<number>
}

const gigabyte = 1_000_000_000
const bytesOf = (gigabytes: number | null): number | null => (gigabytes === null ? null : gigabytes * gigabyte)

export function createQuota({ store, limits, freeBytes }: QuotaDeps): Quota {
  return {
    async of(owner) {
      const { max_gb, max_gb_per_user } = limits()
      const [own, all, left] = await Promise.all([store.bytes(owner), store.bytes(), freeBytes()])
      return {
        own: { used: sumOf(own), limit: bytesOf(max_gb_per_user) },
        all: { used: sumOf(all), limit: bytesOf(max_gb) },
        free: Math.max(0, Math.floor(left)),
      }
    },
  }
}

/** Bytes of finished and unfinished exports. */
export const sumOf = ({ done, promised }: ExportBytes): number => done + promised

/** Bytes below a limit; null: no limit. */
const leftOf = ({ used, limit }: Share): number | null => (limit === null ? null : Math.max(0, limit - used))

/** The limit that `more` bytes would exceed; undefined: none. */
export function exceeded({ own, all }: Pick<Allowance, 'own' | 'all'>, more: number): 'own' | 'all' | undefined {
  const over = ({ used, limit }: Share): boolean => limit !== null && used + more > limit
  if (over(own)) return 'own'
  return over(all) ? 'all' : undefined
}

/**
 * @param everything whether the caller sees the exports of all cameras; other callers get no total of them
 * @throws ServiceError `conflict` if `needed` bytes would exceed a limit, `no-space` if they would exceed the disk
 */
export function refuseBeyond(allowance: Allowance, needed: number, everything: boolean): void {
  const { own, all } = allowance
  switch (exceeded(allowance, needed)) {
    case 'own': {
      const values = { needed, left: leftOf(own) ?? 0, limit: own.limit ?? 0 }
      const shown = { needed: inGb(needed), left: inGb(values.left), limit: inGb(values.limit) }
      const note = 'The limit is export.max_gb_per_user.'
      throw new ServiceError<ExportReasons>('conflict', { reason: 'export-limit-own', values, shown, note })
    }
    case 'all': {
      const values = { needed, left: everything ? (leftOf(all) ?? 0) : null, limit: all.limit ?? 0 }
      const { left, limit } = values
      const shown = { needed: inGb(needed), left: inGb(left ?? 0), hasLeft: left !== null, limit: inGb(limit) }
      throw new ServiceError<ExportReasons>('conflict', {
        reason: 'export-limit-all',
        values,
        shown,
        note: 'The limit is export.max_gb.',
      })
    }
    default:
  }
  if (allowance.free >= needed) return
  const free = everything ? allowance.free : null
  const shown = { needed: inGb(needed), free: inGb(free ?? 0), hasFree: free !== null }
  throw new ServiceError<ExportReasons>('no-space', { reason: 'export-no-space', values: { needed, free }, shown })
}

const inGb = (bytes: number): string => (bytes / gigabyte).toFixed(bytes < 1e8 ? 3 : 1)

/** Percent of a limit from which the state is `near`. */
const near = 80

const shareResponse = (share: Share): ExportShare => ({ ...share, left: leftOf(share) })

/** @param everything whether the caller sees the exports of all cameras */
export const usageResponse = (allowance: Allowance, everything: boolean): ExportUsage => ({
  own: shareResponse(allowance.own),
  ...(everything && { all: { ...shareResponse(allowance.all), free: allowance.free } }),
  state: spaceState(allowance),
})

/** State of the limit that is closest. */
function spaceState({ own, all, free }: Allowance): 'free' | 'near' | 'full' {
  const shares = [own, all, { used: all.used, limit: all.used + free }]
  const percents = shares.map(({ used, limit }) => (limit === null ? 0 : limit <= 0 ? 100 : (used / limit) * 100))
  const percent = Math.max(...percents)
  return percent >= 100 ? 'full' : percent >= near ? 'near' : 'free'
}
