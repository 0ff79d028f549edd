import { Type, type Static } from 'typebox'
import { route, who, type Route } from '../http/route.ts'
import type { Audit, AuditEntry } from '../shared/audit.ts'
import { formerName, isRemovedName, type CameraKeys } from '../shared/camera-keys.ts'
import { milliseconds } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { RecordingStore, Segment } from './recording-store.ts'

const Timestamp = (description: string) => Type.Number({ minimum: 0, maximum: 253_402_300_799, description })

export const RecordingsDeleted = Type.Object({ segments: Type.Integer(), bytes: Type.Integer() })
export type RecordingsDeleted = Static<typeof RecordingsDeleted>

/** Segments removed at a time. */
const batch = 100

export interface DeleteRouteDeps {
  /** By the names of cameras. */
  readonly named: Pick<RecordingStore, 'within'>
  /** By their keys. */
  readonly store: Pick<RecordingStore, 'cameras' | 'oldest'>
  readonly keys: CameraKeys
  readonly remove: (segments: readonly Segment[], gone: (segment: Segment) => void) => Promise<void>
  readonly audit: Audit
}

export function deleteRoutes({ named, store, keys, remove, audit }: DeleteRouteDeps): Route[] {
  /**
   * Deletes batch after batch, until one is not full.
   *
   * @param next throws where no more can be deleted
   * @param entryOf the entry of so many segments
   */
  const deleteAll = async (
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
    try {
      for (;;) {
        const some = await next()
        await remove(some, count)
        if (some.length < batch) break
      }
    } catch (error) {
      // Part of it is gone all the same. Where the database is away, the entry waits for it.
      await commit('failed').catch(() => undefined)
      throw error
    }
    await commit('ok')
    return sum
  }

  return [
    route({
      method: 'DELETE',
      path: '/api/cameras/:camera/recordings',
      access: { camera: 'recordings.delete', of: 'path' },
      schema: {
        summary:
          'Delete what was recorded: every segment that lies wholly inside the span. What is being written stays',
        params: Type.Object({ camera: Type.String() }),
        querystring: Type.Object({
          after: Timestamp('Unix seconds: what begins then or later.'),
          before: Timestamp('Unix seconds: what ends then or earlier.'),
        }),
        response: { 200: RecordingsDeleted },
      },
      async handle({ params: { camera }, query: { after, before } }, caller) {
        if (before <= after) {
          const message = 'has to be later than the start'
          throw new ServiceError('invalid', `\`before\` ${message}`, {
            problems: [{ field: 'before', code: 'before-start', message }],
          })
        }
        const [first, last] = [Math.ceil(milliseconds(after)), Math.floor(milliseconds(before))]
        const span = [after, before].map((each) => new Date(each * 1000).toISOString()).join(' – ')
        return deleteAll(
          () => named.within(camera, first, last, batch),
          (segments) => ({ ...who(caller), target: camera, detail: `${span}, ${segments}` }),
        )
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/recordings/storage/:id',
      access: { service: 'cameras.manage' },
      schema: {
        summary: 'Delete all recordings of a removed camera; 404 where no removed camera has any',
        params: Type.Object({ id: Type.String({ description: 'Of the entry in `GET /api/recordings/storage`.' }) }),
        response: { 200: RecordingsDeleted },
      },
      async handle({ params: { id } }, caller) {
        const isRemoved = (key: string): boolean => isRemovedName(id) && keys.nameOf(key) === id
        const key = (await store.cameras()).find(isRemoved)
        if (key === undefined) throw nothingLeft()
        return deleteAll(
          async () => {
            // A camera that is added again has its recordings back.
            if (!isRemoved(key)) throw nothingLeft()
            return store.oldest(key, batch)
          },
          (segments) => ({ ...who(caller), target: formerName(key), detail: `${id}, ${segments}` }),
        )
      },
    }),
  ]
}

const nothingLeft = () =>
  new ServiceError('not-found', 'No removed camera has recordings under this id.', { reason: 'no-such-camera' })
