import pLimit from 'p-limit'
import type { ScopedKey } from '../access/grant.ts'
import { ownerText, type Owner } from '../access/identity.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import type { Clock } from '../shared/time/clock.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import type { Random } from '../shared/random.ts'
import { type CodedMessage, fieldProblem } from '../shared/messages/coded-message.ts'
import type { ExportStore, NewExport } from './export-store.ts'
import type { JobQueue } from './queue/job-queue.ts'
import type { RecordedRanges } from './run-export.ts'
import { refuseBeyond, type Quota } from './quota.ts'
import type { ExportReasons } from './reasons.ts'
import { singleLine } from '../shared/http/text-field.ts'
import { hour, longestDay } from '../shared/time/durations.ts'
import { newId } from '../shared/random-id.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** Problems of an export request. Stable and public. */
export interface ExportRequestProblems {
  'before-start': null
  'span-too-long': { readonly hours: number }
  'in-future': null
  'control-character': null
}

export interface ExportRequest {
  /** The camera's key. */
  readonly camera: ScopedKey<CameraKey>
  /** Unix seconds. */
  readonly start: number
  readonly end: number
  /** Unix milliseconds. Recordings that begin earlier are too old for the user (GRANT-3). */
  readonly since: number
  readonly name?: string
}

/** The user who requests an export. */
export interface Maker {
  readonly owner: Owner
  readonly name: string
  /** Audit entry of the export, committed in the same transaction. */
  readonly entryOf: (made: NewExport) => AuditEntry
  /** Decides again whether the user can export it. @throws ServiceError if not */
  readonly authorizeAgain: () => Promise<void>
  /** Whether the user sees the exports of all cameras, and therefore their total size. */
  readonly everything: boolean
}

export interface NewExportDeps {
  readonly store: Pick<ExportStore, 'add' | 'unfinished'>
  readonly jobs: Pick<JobQueue, 'added'>
  readonly recordedRanges: RecordedRanges
  /** Rejects if the disk of the own recordings or that of the exports is missing. */
  readonly requireDisks: () => Promise<void>
  readonly quota: Quota
  readonly clock: Clock
  readonly random: Random
}

/** Maximum number of queued and running exports: in total, and per user. */
const max = { all: 100, own: 20 }
/** Milliseconds by which the caller's clock can be ahead of the service's. */
const ahead = 10_000

interface Span {
  readonly start: number
  readonly end: number
}

/** Queues an export, unless it is known to fail. Limits are checked for one request at a time, so that concurrent ones can't exceed them. */
export function createNewExports(deps: NewExportDeps): (requested: ExportRequest, maker: Maker) => Promise<NewExport> {
  const { store, jobs, recordedRanges, requireDisks, quota, clock, random } = deps
  const serialized = pLimit(1)
  /** Requests whose recordings are being read: each has its place in the queue, so that there are no more of them. */
  const reading = new Set<Pick<NewExport, 'owner'>>()

  const takePlace = async (place: Pick<NewExport, 'owner'>): Promise<void> => {
    const taken = [...(await store.unfinished()), ...reading]
    const own = taken.filter(({ owner }) => ownerText(owner) === ownerText(place.owner))
    if (own.length >= max.own) throw tooMany('too-many-own-exports', max.own)
    if (taken.length >= max.all) throw tooMany('too-many-exports', max.all)
    reading.add(place)
  }

  /** Reads from other instances and from object storage, too: a slow one holds up no other request. */
  const read = async ({ camera, since }: ExportRequest, span: Span) => {
    await requireDisks()
    const start = await recordedRanges.startSince(camera, span, since)
    const { end } = span
    const { recorded, settled, growing, bytes } = await recordedRanges.survey(camera, start, end)
    // Building the clip checks the first and last segment, and every format change in between.
    if (recorded > 0 || !growing) await recordedRanges.clip(camera, start, end)
    return { camera, start, end, expected: Math.max(0, Math.floor(settled)), promised: bytes }
  }

  return async (requested, maker) => {
    const span = spanOf(requested, clock.now())
    const name = singleLine('name', requested.name ?? '')
    const place = { owner: maker.owner }
    try {
      await serialized(() => takePlace(place))
      const found = await read(requested, span)
      return await serialized(async () => {
        // Reading can take seconds.
        await maker.authorizeAgain()
        refuseBeyond(await quota.of(maker.owner), found.promised, maker.everything)
        const by = { owner: maker.owner, createdBy: maker.name }
        const made: NewExport = { id: newId(random), name, ...found, createdAt: clock.now(), ...by }
        await store.add(made, maker.entryOf(made))
        jobs.added(made.id, made.promised)
        // From now on, the store counts it.
        reading.delete(place)
        return made
      })
    } finally {
      reading.delete(place)
    }
  }
}

const tooMany = (reason: 'too-many-exports' | 'too-many-own-exports', limit: number): ServiceError =>
  new ServiceError<ExportReasons>('too-many-attempts', { reason, values: { max: limit }, retryAfter: 30 })

/** @throws ServiceError `invalid-request` if the time range is empty, too long or in the future */
function spanOf({ start, end }: ExportRequest, now: number): Span {
  if (end - start < 1) reject('end', fieldProblem('before-start'))
  if ((end - start) * 1000 > longestDay) reject('end', fieldProblem('span-too-long', { hours: longestDay / hour }))
  // The end may be a little ahead, the start is not: nothing would be left of the range.
  if (end * 1000 > now + ahead || start * 1000 >= now) reject('end', fieldProblem('in-future'))
  return { start: Math.floor(start * 1000), end: Math.min(Math.ceil(end * 1000), now) }
}

function reject(field: string, problem: CodedMessage<ExportRequestProblems>): never {
  throw invalidField(field, problem)
}
