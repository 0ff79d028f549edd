import { Type, type Static } from 'typebox'
import { route, who, type Route } from '../http/route.ts'
import type { Audit, AuditEntry } from '../shared/audit.ts'
import { milliseconds } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { RecordingStore, Segment } from './recording-store.ts'

const Moment = (description: string) => Type.Number({ minimum: 0, maximum: 253_402_300_799, description })

export const RecordingsDeleted = Type.Object({ segments: Type.Integer(), bytes: Type.Integer() })
export type RecordingsDeleted = Static<typeof RecordingsDeleted>

/** Segments removed at a time. */
const batch = 100

export function deleteRoutes({
  store,
  remove,
  audit,
}: {
  readonly store: Pick<RecordingStore, 'within'>
  readonly remove: (segments: readonly Segment[], gone: (segment: Segment) => void) => Promise<void>
  readonly audit: Audit
}): Route[] {
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
          after: Moment('Unix seconds: what begins then or later.'),
          before: Moment('Unix seconds: what ends then or earlier.'),
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
        const sum = { segments: 0, bytes: 0 }
        const count = ({ bytes }: Segment) => {
          sum.segments += 1
          sum.bytes += bytes
        }
        const entryOf = (result: AuditEntry['result']): AuditEntry => ({
          action: 'recordings.delete',
          result,
          ...who(caller),
          target: camera,
          detail: `${[after, before].map((each) => new Date(each * 1000).toISOString()).join(' – ')}, ${sum.segments}`,
        })
        await audit.ready()
        try {
          for (;;) {
            const some = await store.within(camera, first, last, batch)
            await remove(some, count)
            if (some.length < batch) break
          }
        } catch (error) {
          // Part of it is gone all the same. Where the database is away, the entry waits for it.
          await audit.commit(entryOf('failed')).catch(() => undefined)
          throw error
        }
        await audit.commit(entryOf('ok'))
        return sum
      },
    }),
  ]
}
