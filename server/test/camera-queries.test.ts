import { expect, test } from 'vitest'
import type { AuditStore } from '../src/audit/audit-store.ts'
import type { ExportStore, NewExport } from '../src/exports/export-store.ts'
import type { RecordingStore } from '../src/recordings/index/recording-store.ts'
import type { ReviewStore } from '../src/review/review-store.ts'
import type { CameraKeys } from '../src/shared/camera/camera-keys.ts'
import type { Ticket } from '../src/shared/cluster/inner-client.ts'
import type { Store } from '../src/store/store.ts'

/** Never called: the compiler is the test. `npm run typecheck` fails if one of these compiles. */
const mixedUp = (
  { db }: Store,
  keys: CameraKeys,
  recordings: RecordingStore,
  review: ReviewStore,
  exports: ExportStore,
  audit: AuditStore,
  made: Omit<NewExport, 'camera'>,
  entry: Parameters<ExportStore['add']>[1],
) => [
  // @ts-expect-error a name has no name
  () => keys.nameOf('yard'),
  // @ts-expect-error a row has a key
  () => db.selectFrom('recording').where('camera', '=', 'yard'),
  // @ts-expect-error the index has keys
  () => recordings.filesFrom('yard', 0, 1),
  // @ts-expect-error review items have keys
  () => review.olderThan('yard', 0, 1),
  // @ts-expect-error an export is stored with a key
  () => exports.add({ ...made, camera: 'yard' }, entry),
  // @ts-expect-error audit entries have keys
  () => audit.entries({ camera: 'yard', limit: 1 }),
  // @ts-expect-error another instance is asked for a key
  (): Ticket => ({ camera: 'yard', action: 'live' }),
]

test("[CAM-4] a camera's name does not compile as its key", () => {
  expect(mixedUp).toBeTypeOf('function')
})
