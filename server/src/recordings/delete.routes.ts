import { Type, type Static } from 'typebox'
import { beforeEnd } from '../access/recorded-time.ts'
import { actorOf, type Caller } from '../http/caller.ts'
import { route, type Route } from '../http/route.ts'
import type { Audit, AuditEntry } from '../shared/audit/audit.ts'
import { type CameraKey, formerName, isRemovedName, type CameraKeys } from '../shared/camera/camera-keys.ts'
import { milliseconds } from '../shared/time/clock.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import type { History, Segment } from './index/recording-store.ts'
import type { NamedRecordings } from './named-recordings.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'
import { UnixSeconds } from '../shared/http/timestamp.ts'
import { CameraPath } from '../shared/camera/camera-path.ts'

const RecordingsDeleted = Type.Object({ segments: Type.Integer(), bytes: Type.Integer() })
export type RecordingsDeleted = Static<typeof RecordingsDeleted>

/** Segments removed at a time. */
const batch = 100

export interface DeleteRouteDeps {
  readonly named: Pick<NamedRecordings, 'within'>
  readonly store: Pick<History, 'cameras' | 'oldest'>
  /** Resolves once each segment of a camera, by name, that is on disk here is in the index, unless the disk hangs. */
  readonly indexed: (camera: string) => Promise<void>
  readonly keys: CameraKeys
  readonly remove: (segments: readonly Segment[], gone: (segment: Segment) => void) => Promise<void>
  readonly audit: Audit
}

export function deleteRoutes({ named, store, indexed, keys, remove, audit }: DeleteRouteDeps): Route[] {
  /**
   * Deletes batch after batch until a batch isn't full.
   *
   * @param caller authorized again before each batch: a deletion can take minutes
   * @param camera its name
   * @param next returns the next batch; throws if nothing more can be deleted
   * @param entryOf builds the audit entry for a number of deleted segments
   */
  const deleteAll = async (
    caller: Caller,
    camera: string,
    next: () => Promise<readonly Segment[]>,
    entryOf: (segments: number) => Omit<AuditEntry, 'action' | 'result'>,
  ): Promise<RecordingsDeleted> => {
    const sum = { segments: 0, bytes: 0 }
    const count = ({ bytes }: Segment) => {
      sum.segments += 1
      sum.bytes += bytes
    }
    const commit = (result: AuditEntry['result']): Promise<void> =>
      audit.commit({ action: 'recordings.delete', result, ...entryOf(sum.segments) })
    await audit.ready()
    await indexed(camera)
    try {
      for (;;) {
        await caller.authorizeAgain()
        const some = await next()
        await remove(some, count)
        if (some.length < batch) break
      }
    } catch (error) {
      // Some segments are already deleted. If the database is unavailable, the audit entry waits for it.
      await commit('failure').catch(() => undefined)
      throw error
    }
    await commit('success')
    return sum
  }

  return [
    route({
      method: 'DELETE',
      path: '/api/cameras/:camera/recordings',
      access: { camera: 'delete', of: 'path', time: beforeEnd('query.before') },
      schema: {
        summary:
          'Delete recordings: every segment entirely inside the time range. The segment being written is not deleted.',
        params: CameraPath,
        querystring: Type.Object({
          after: UnixSeconds('Earliest start time of a segment, Unix seconds.'),
          before: UnixSeconds('Latest end time of a segment, Unix seconds.'),
        }),
        response: { 200: RecordingsDeleted },
      },
      async handle({ params: { camera }, query: { after, before } }, caller) {
        if (before <= after) throw invalidField('before', fieldProblem('before-start'))
        const first = Math.max(Math.ceil(milliseconds(after)), caller.scope.since)
        const last = Math.floor(milliseconds(before))
        const span = [first, last].map((each) => new Date(each).toISOString()).join(' – ')
        return deleteAll(
          caller,
          camera,
          () => named.within(caller.camera, first, last, batch),
          (segments) => ({ ...actorOf(caller), target: camera, detail: `${span}, ${segments}` }),
        )
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/recordings/storage/:id',
      // No token that is limited to cameras has a removed one.
      access: { service: 'cameras.manage', about: 'all-cameras' },
      confirm: true,
      schema: {
        summary: 'Delete all recordings of a removed camera; 404 if no removed camera has any under this id.',
        params: Type.Object({ id: Type.String({ description: 'Id of an entry in `GET /api/recordings/storage`.' }) }),
        response: { 200: RecordingsDeleted },
      },
      async handle({ params: { id } }, caller) {
        const isRemoved = (key: CameraKey): boolean => isRemovedName(id) && keys.nameOf(key) === id
        const key = (await store.cameras()).find(isRemoved)
        if (key === undefined) throw nothingLeft()
        return deleteAll(
          caller,
          id,
          async () => {
            // A camera that is added again gets its recordings back.
            if (!isRemoved(key)) throw nothingLeft()
            return store.oldest(key, batch)
          },
          (segments) => ({ ...actorOf(caller), target: formerName(key), detail: `${id}, ${segments}` }),
        )
      },
    }),
  ]
}

const nothingLeft = () => new ServiceError('not-found', { reason: 'no-such-camera' })
