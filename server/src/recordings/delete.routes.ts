import { Type, type Static } from 'typebox'
import { route, who, type Route } from '../http/route.ts'
import type { Audit } from '../shared/audit.ts'
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
  readonly remove: (segments: readonly Segment[]) => Promise<void>
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
        try {
          for (;;) {
            const some = await store.within(camera, first, last, batch)
            await remove(some)
            sum.segments += some.length
            sum.bytes += some.reduce((all, { bytes }) => all + bytes, 0)
            if (some.length < batch) return sum
          }
        } finally {
          // What is gone is told, though not all of it could be removed.
          audit.record({
            action: 'recordings.delete',
            result: 'ok',
            ...who(caller),
            target: camera,
            detail: `${[after, before].map((each) => new Date(each * 1000).toISOString()).join(' – ')}, ${sum.segments}`,
          })
        }
      },
    }),
  ]
}
