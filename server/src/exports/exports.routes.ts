import { Type, type Static } from 'typebox'
import { inScope, scopedKey, type CameraScope } from '../access/grant.ts'
import { principalOf, ownerOf } from '../access/identity.ts'
import type { Found, OwnerOf, Params, Sent } from '../access/rule.ts'
import { beforeEnd } from '../access/recorded-time.ts'
import { auditEntry, type Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import { formerName, type CameraKeys } from '../shared/camera/camera-keys.ts'
import type { Clock } from '../shared/time/clock.ts'
import { cursorOf, positionFrom } from '../shared/http/cursor.ts'
import { ServiceError } from '../shared/errors.ts'
import { reasonResponse } from '../shared/http/message-schema.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore, NewExport, StoredExport, VisibleExports } from './export-store.ts'
import { createExportChangeLimit } from './change-limit.ts'
import type { JobQueue } from './queue/job-queue.ts'
import type { Maker, ExportRequest } from './new-export.ts'
import { singleLine } from '../shared/http/text-field.ts'
import { exportProblem } from './problem.ts'
import { usageResponse, type Quota } from './quota.ts'
import { creatorFields, Export, ExportPage, ExportUsage, seesAll } from './export-response.ts'
import type { ExportReasons } from './reasons.ts'
import { exportStream, type SendExport } from './send-export.ts'
import { UnixSeconds, timestampOf } from '../shared/http/timestamp.ts'
import { idShape, isId } from '../shared/random-id.ts'

export interface ExportRouteDeps {
  /** Id of the own volume. */
  readonly volume: string
  readonly store: Pick<ExportStore, 'byId' | 'page' | 'rename' | 'fail' | 'remove'>
  readonly sendFile: SendExport
  readonly folder: Pick<ExportFolder, 'remove' | 'dropDraft'>
  readonly jobs: Pick<JobQueue, 'progressOf' | 'without'>
  readonly quota: Quota
  readonly create: (requested: ExportRequest, maker: Maker) => Promise<NewExport>
  readonly keys: CameraKeys
  readonly cameraExists: (camera: string) => boolean
  readonly onChange: (changed: StoredExport, progress: number) => void
  /** @param links ids of the share links that showed the export; undefined: another request deleted it first */
  readonly onDeleted: (deleted: StoredExport, links: readonly string[] | undefined) => void
  readonly clock: Clock
}

const Id = Type.Object({ id: Type.String() })
const Name = (description: string) => Type.String({ maxLength: 100, description })

const RequestedExport = Type.Object(
  {
    camera: Type.String(),
    start: UnixSeconds('Start time, Unix seconds.'),
    end: UnixSeconds('End time, Unix seconds. In the past, at most 25 hours after the start.'),
    name: Type.Optional(Name('Name of the file. Default: the camera and the time.')),
  },
  { additionalProperties: false },
)
export type RequestedExport = Static<typeof RequestedExport>

const ExportName = Type.Object(
  { name: Name('New name. Empty: the camera and the time.') },
  { additionalProperties: false },
)
export type ExportName = Static<typeof ExportName>

export function exportRoutes(deps: ExportRouteDeps): Route[] {
  const { volume, store, folder, jobs, quota, create, keys, cameraExists, onChange, onDeleted, sendFile, clock } = deps
  const limitChanges = createExportChangeLimit(clock)

  /** Finds an export. Text that doesn't have the shape of an id is not looked up. */
  const find = async (id: string | undefined): Promise<StoredExport | undefined> =>
    id !== undefined && isId(id) ? store.byId(id) : undefined
  const exportNamed = async (id: string): Promise<StoredExport> => {
    const found = await find(id)
    if (!found) throw new ServiceError<ExportReasons>('not-found', { reason: 'no-such-export' })
    return found
  }
  /** The export's camera and start; undefined if the export doesn't exist. */
  const cameraOf = async ({ id }: Params): Promise<Found | undefined> => {
    const one = await find(id)
    return one && { camera: keys.nameOf(one.camera), time: one.start }
  }
  const own: OwnerOf = { of: 'path', name: 'id', find: async (id) => (await find(id))?.owner }
  /** Its start is left out: what a role's history has left behind can still be canceled (GRANT-3). */
  const cameraAtAnyTime = async ({ id }: Params): Promise<Found | undefined> => {
    const one = await find(id)
    return one && keys.nameOf(one.camera)
  }
  /** Its camera's name, for those who manage exports. */
  const nameOf = async ({ params: { id } }: Sent): Promise<[string | undefined]> => {
    const one = await find(typeof id === 'string' ? id : undefined)
    return [one && keys.nameOf(one.camera)]
  }
  const makers = { camera: 'export', of: cameraOf, own, or: 'exports.manage' } as const

  const shown = (one: StoredExport, caller: Pick<Caller, 'identity' | 'scope'>): Export => ({
    id: one.id,
    camera: formerName(one.camera),
    name: one.name,
    start: one.start / 1000,
    end: one.end / 1000,
    state: one.state,
    progress: one.state === 'done' ? 100 : jobs.progressOf(one.id),
    duration: one.state === 'done' ? one.duration / 1000 : null,
    bytes: one.state === 'done' ? one.bytes : null,
    ...(one.state === 'failed' && { reason: reasonResponse(one.problem), detail: one.problem.message }),
    created_at: timestampOf(one.createdAt),
    ...creatorFields(one, caller),
    ...(!cameraExists(keys.nameOf(one.camera)) && { camera_removed: true as const }),
  })

  return [
    route({
      method: 'POST',
      path: '/api/exports',
      access: { camera: 'export', of: 'body', time: beforeEnd('body.end') },
      schema: {
        summary:
          'Export a clip of a recording as a file. Runs as a job; the export and the events report its progress.',
        body: RequestedExport,
        response: { 202: Id },
      },
      async handle({ body }, caller) {
        limitChanges(ownerOf(caller.identity))
        const { since } = caller.scope
        const start = Math.max(body.start, since / 1000)
        const made = await create(
          { ...body, start, since, camera: scopedKey(caller.camera, keys.keyOf) },
          makerFrom(caller),
        )
        return respond({ status: 202, body: { id: made.id } })
      },
    }),
    route({
      method: 'GET',
      path: '/api/exports',
      access: { cameras: 'export', requested: { of: 'query', name: 'cameras' } },
      schema: {
        summary: 'List exports, newest first.',
        querystring: Type.Object({
          cameras: Type.Optional(
            Type.String({ description: 'Camera names, separated by commas. Default: all cameras.' }),
          ),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
          cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
        }),
        response: { 200: ExportPage },
      },
      async handle({ query: { limit = 50, cursor } }, caller) {
        const position = cursor === undefined ? undefined : positionFrom(cursor, idShape)
        const from = position && { createdAt: position.at, id: position.id }
        // One extra row shows whether there is another page.
        const found = await store.page(visibleIn(caller.scope, cameraExists, keys), from, limit + 1)
        const page = found.slice(0, limit)
        const last = page.at(-1)
        return {
          items: page.map((one) => shown(one, caller)),
          cursor: found.length > limit && last ? cursorOf(last.createdAt, last.id) : null,
        }
      },
    }),
    route({
      method: 'GET',
      path: '/api/exports/usage',
      access: { cameras: 'export' },
      schema: {
        summary:
          'Get the used and available space of the caller’s exports, and of all exports if the caller can see all cameras.',
        response: { 200: ExportUsage },
      },
      handle: async (_input, { identity, scope }) => usageResponse(await quota.of(ownerOf(identity)), seesAll(scope)),
    }),
    route({
      method: 'GET',
      path: '/api/exports/:id',
      access: { camera: 'export', of: cameraOf },
      schema: { summary: 'Get an export.', params: Id, response: { 200: Export } },
      handle: async ({ params: { id } }, caller) => shown(await exportNamed(id), caller),
    }),
    route({
      method: 'GET',
      path: '/api/exports/:id/video.mp4',
      access: { camera: 'download', of: cameraOf, parts: ['audio'] },
      reads: 'download',
      stream: exportStream,
      schema: {
        summary: 'Download the file of a finished export.',
        params: Id,
        otherResponses: { 200: 'video/mp4', 206: 'video/mp4', 304: null, 416: null },
      },
      handle: ({ params: { id }, header }, caller) => sendFile(id, { header, disposition: 'attachment' }, caller),
    }),
    route({
      method: 'PATCH',
      path: '/api/exports/:id',
      access: makers,
      schema: {
        summary: 'Rename an export.',
        params: Id,
        body: ExportName,
        response: { 200: Export },
      },
      async handle({ params: { id }, body }, caller) {
        const name = singleLine('name', body.name)
        limitChanges(ownerOf(caller.identity))
        await store.rename(id, name, entryOf('export.rename', caller, await exportNamed(id), JSON.stringify(name)))
        const one = await exportNamed(id)
        onChange(one, one.state === 'done' ? 100 : jobs.progressOf(id))
        return shown(one, caller)
      },
    }),
    route({
      method: 'POST',
      path: '/api/exports/:id/cancel',
      access: { ...makers, of: cameraAtAnyTime },
      schema: { summary: 'Cancel a queued or running export.', params: Id, otherResponses: { 204: null } },
      async handle({ params: { id } }, caller) {
        limitChanges(ownerOf(caller.identity))
        const entry = entryOf('export.cancel', caller, await exportNamed(id))
        if (!(await store.fail(id, exportProblem('canceled'), clock.now(), entry))) {
          throw new ServiceError<ExportReasons>('conflict', { reason: 'export-ended' })
        }
        await jobs.without(id, async () => {
          await folder.dropDraft(id)
          const one = await exportNamed(id)
          onChange(one, 0)
        })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/exports/:id',
      access: { service: 'exports.manage', about: { of: 'path', find: nameOf } },
      confirm: { never: 'it gives no access' },
      schema: {
        summary: 'Delete an export and its file, even if its camera was removed.',
        params: Id,
        otherResponses: { 204: null },
      },
      async handle({ params: { id } }, caller) {
        const one = await exportNamed(id)
        // The file first: a crash leaves a row without a file, which is then shown as failed.
        await jobs.without(id, async () => {
          // Its job had to stop first.
          await caller.authorizeAgain()
          // The file of another volume is deleted where it is.
          if (one.volume === volume) {
            await folder.dropDraft(id)
            await folder.remove(id)
          }
          onDeleted(one, await store.remove(id, entryOf('export.delete', caller, one)))
        })
      },
    }),
  ]
}

/** A name in a role that no camera has grants nothing. A user with all cameras also sees exports of removed cameras. */
const visibleIn = (scope: CameraScope, exists: (camera: string) => boolean, { keyOf }: CameraKeys): VisibleExports => {
  const named = scope.cameras === 'all' ? [] : [...scope.cameras].filter(exists)
  return { scope, cameras: named.filter((name) => inScope(scope, name)).map((name) => scopedKey(name, keyOf)) }
}

function makerFrom(caller: Caller): Maker {
  const { name, displayName = name } = principalOf(caller.identity)
  return {
    owner: ownerOf(caller.identity),
    name: displayName,
    authorizeAgain: () => caller.authorizeAgain(),
    everything: seesAll(caller.scope),
    entryOf: (made) => entryOf('export.create', caller, made),
  }
}

function entryOf(action: AuditEntry['action'], caller: Caller, one: NewExport, more = ''): AuditEntry {
  const span = [one.start, one.end].map((at) => new Date(at).toISOString()).join('/')
  return {
    ...auditEntry(caller, action, formerName(one.camera), [span, one.id, more].filter(Boolean).join(' ')),
    camera: one.camera,
  }
}
