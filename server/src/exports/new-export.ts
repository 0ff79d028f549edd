import type { Owner } from '../access/identity.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Random } from '../shared/random.ts'
import type { AnyCodedMessage, CodedMessage } from '../shared/coded-message.ts'
import { createSemaphore } from '../shared/semaphore.ts'
import type { ExportStore, NewExport } from './export-store.ts'
import type { RecordedRanges, JobQueue } from './job-queue.ts'
import { personOf } from './fair-order.ts'
import { refuseBeyond, type Quota } from './quota.ts'

/** What can be wrong with what is asked for. Stable and public. */
export interface ExportMisfits {
  'before-start': null
  'span-too-long': { readonly hours: number }
  'still-to-come': null
  'control-character': null
}

export interface ExportRequest {
  /** The key of one. */
  readonly camera: string
  /** Unix seconds. */
  readonly start: number
  readonly end: number
  readonly name?: string
}

/** Who wants it. */
export interface Maker {
  readonly owner: Owner
  readonly name: string
  /** Committed with it. */
  readonly entryOf: (made: NewExport) => AuditEntry
  /** Whether they see the exports of all cameras, and so how much these take. */
  readonly everything: boolean
}

export interface NewExportDeps {
  readonly store: Pick<ExportStore, 'add' | 'unfinished'>
  readonly jobs: Pick<JobQueue, 'added'>
  readonly excerpts: RecordedRanges
  readonly quota: Quota
  readonly ffmpeg: string | undefined
  readonly clock: Clock
  readonly random: Random
}

/** Hours of one export. */
const longest = 24
/** Exports that wait or run: of all together, and of one person. */
const max = { all: 100, own: 20 }
/** Milliseconds by which the clock of who asks may be ahead of ours. */
const ahead = 10_000

/** Takes an export into the queue; what can be known to fail is refused before. One at a time, so that limits hold. */
export function createNewExports(deps: NewExportDeps): (requested: ExportRequest, maker: Maker) => Promise<NewExport> {
  const { store, jobs, excerpts, quota, ffmpeg, clock, random } = deps
  const serialized = createSemaphore(1)

  const accept = async (requested: ExportRequest, maker: Maker): Promise<NewExport> => {
    const now = clock.now()
    const { start, end } = spanOf(requested, now)
    const name = nameFrom(requested.name ?? '')
    if (ffmpeg === undefined) throw new ServiceError('unavailable', 'ffmpeg is not installed.', { reason: 'no-ffmpeg' })

    const unfinished = await store.unfinished()
    const own = unfinished.filter(({ owner }) => personOf(owner) === personOf(maker.owner))
    if (own.length >= max.own) throw tooMany('many-own-exports', max.own)
    if (unfinished.length >= max.all) throw tooMany('many-exports', max.all)

    const { recorded, settled, growing, bytes } = await excerpts.survey(requested.camera, start, end)
    if (recorded <= 0 && !growing) {
      throw new ServiceError('not-found', 'Nothing was recorded then.', { reason: 'nothing-recorded' })
    }
    // Looks at where it begins and ends, and at every change in between.
    if (recorded > 0) await excerpts.clip(requested.camera, start, end)
    refuseBeyond(await quota.of(maker.owner), bytes, maker.everything)

    const made: NewExport = {
      id: random.bytes(16).toString('hex'),
      camera: requested.camera,
      name,
      start,
      end,
      expected: Math.max(0, Math.floor(settled)),
      promised: bytes,
      createdAt: now,
      owner: maker.owner,
      createdBy: maker.name,
    }
    await store.add(made, maker.entryOf(made))
    jobs.added(made.id, bytes)
    return made
  }

  return (requested, maker) => serialized(() => accept(requested, maker))
}

const tooMany = (reason: 'many-exports' | 'many-own-exports', limit: number): ServiceError => {
  const whose = reason === 'many-exports' ? 'exports wait' : 'of your exports wait'
  return new ServiceError('too-many-attempts', `As many as ${limit} ${whose} or run. Try again when one is done.`, {
    reason,
    values: { max: limit },
    retryAfter: 30,
  })
}

/** @throws ServiceError `invalid` for a span that is none, too long, or not over yet */
function spanOf({ start, end }: ExportRequest, now: number): { readonly start: number; readonly end: number } {
  if (end - start < 1) {
    refuse('end', { code: 'before-start', message: 'has to be at least a second later than the start' })
  }
  if (end - start > longest * 3600) {
    const message = `may be at most ${longest} hours after the start`
    refuse('end', { code: 'span-too-long', values: { hours: longest }, message })
  }
  if (end * 1000 > now + ahead) refuse('end', { code: 'still-to-come', message: 'is still to come' })
  return { start: Math.floor(start * 1000), end: Math.min(Math.ceil(end * 1000), now) }
}

/** @throws ServiceError `invalid` for one with signs that nobody sees */
export function nameFrom(text: string): string {
  if (/\p{Cc}/u.test(text))
    refuse('name', { code: 'control-character', message: 'holds a line break or another sign that nobody sees' })
  return text.toWellFormed().trim()
}

function refuse(field: string, problem: CodedMessage<ExportMisfits>): never {
  const { message }: AnyCodedMessage = problem
  throw new ServiceError('invalid', `\`${field}\` ${message}.`, { problems: [{ field, ...problem }] })
}
