import { expect, test } from 'vitest'
import { inScope, scopedKey, type CameraScope } from '../src/access/grant.ts'
import type { Owner } from '../src/access/identity.ts'
import type { AuditStore } from '../src/audit/audit-store.ts'
import type { Cameras } from '../src/cameras/cameras.ts'
import type { CamerasToShow } from '../src/cameras/cameras.routes.ts'
import type { ExportStore, NewExport } from '../src/exports/export-store.ts'
import type { Caller } from '../src/http/caller.ts'
import type { RecordedRanges } from '../src/recordings/recorded-ranges.ts'
import type { History, RecordingStore } from '../src/recordings/index/recording-store.ts'
import type { NamedRecordings } from '../src/recordings/named-recordings.ts'
import type { ItemsByNames } from '../src/review/named-items.ts'
import type { ReviewStore } from '../src/review/review-store.ts'
import type { CameraKey, CameraKeys } from '../src/shared/camera/camera-keys.ts'
import type { Ticket } from '../src/shared/cluster/inner-client.ts'
import type { Store } from '../src/store/store.ts'

interface Stores {
  readonly db: Store['db']
  readonly keys: CameraKeys
  readonly index: RecordingStore
  readonly history: History
  readonly named: NamedRecordings
  readonly ranges: RecordedRanges
  readonly review: ReviewStore
  readonly items: ItemsByNames
  readonly exports: ExportStore
  readonly audit: AuditStore
  readonly cameras: Cameras
  readonly shown: CamerasToShow
}

// These functions are never called: the compiler is the test. `npm run typecheck` fails if a marked line compiles.

const ofName = (
  { db, keys, index, review, exports, audit }: Stores,
  made: Omit<NewExport, 'camera'>,
  entry: Parameters<ExportStore['add']>[1],
) => [
  // @ts-expect-error a name has no name
  () => keys.nameOf('yard'),
  // @ts-expect-error a row has a key
  () => db.selectFrom('recording').where('camera', '=', 'yard'),
  // @ts-expect-error the index has keys
  () => index.filesFrom('yard', 0, 1),
  // @ts-expect-error review items have keys
  () => review.olderThan('yard', 0, 1),
  // @ts-expect-error an export is stored with a key
  () => exports.add({ ...made, camera: 'yard' }, entry),
  // @ts-expect-error audit entries have keys
  () => audit.entries({ camera: 'yard', limit: 1 }),
  // @ts-expect-error another instance is asked for a key
  (): Ticket => ({ camera: 'yard', action: 'live' }),
]

const ofCaller = ({ keys, history, named, items, review, shown }: Stores, { camera, scope }: Caller, owner: Owner) => [
  () => named.spans(camera, 0, 1),
  () => history.spans(scopedKey(camera, keys.keyOf), 0, 1),
  () => items.counts(owner, camera, []),
  () => review.markIds(owner, [], [scopedKey(camera, keys.keyOf)], true),
  () => shown.responseOf(camera),
  () => ['yard'].filter((name) => inScope(scope, name)).map((name) => items.counts(owner, name, [])),
]

const ofAnyCamera = (
  { history, index, named, ranges, review, items, exports, cameras, shown }: Stores,
  scope: CameraScope,
  key: CameraKey,
  owner: Owner,
) => [
  // @ts-expect-error the recordings of any camera
  () => history.spans(key, 0, 1),
  // @ts-expect-error in the index too
  () => index.quarters(key, 0, 1),
  // @ts-expect-error by name
  () => named.entries('yard', 0, 1, 1),
  // @ts-expect-error for an export
  () => ranges.clip(key, 0, 1),
  // @ts-expect-error the review items of a plain list of cameras
  () => review.items(owner, { cameras: [key], after: 0, before: 1, limit: 1 }),
  // @ts-expect-error their numbers
  () => review.counts(owner, key, [0, 1]),
  // @ts-expect-error their marks
  () => review.markIds(owner, [], [key], true),
  // @ts-expect-error by name
  () => items.markAll(owner, { cameras: ['yard'], after: 0, before: 1 }, true),
  // @ts-expect-error the exports of a plain list of cameras
  () => exports.page({ scope, cameras: [key] }, undefined, 1),
  // @ts-expect-error and those of all cameras, without a scope
  () => exports.page({ scope: { cameras: 'all', since: 0, until: Infinity }, cameras: [] }, undefined, 1),
  // @ts-expect-error a snapshot
  () => cameras.latest('yard'),
  // @ts-expect-error a camera's state, for a route
  () => shown.responseOf('yard'),
]

test('[ROLE-5] no store is read for a caller without the scope of the caller', () => {
  expect([ofCaller, ofAnyCamera]).toHaveLength(2)
})

test("[CAM-4] a camera's name does not compile as its key", () => {
  expect(ofName).toBeTypeOf('function')
})
