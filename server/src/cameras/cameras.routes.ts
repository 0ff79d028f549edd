import { Type, type Static } from 'typebox'
import type { CameraScope, ScopedCamera } from '../access/grant.ts'
import { aboutPathCamera } from '../access/rule.ts'
import { atCamera, type CameraPlace } from '../http/camera-place.ts'
import { actorOf, requesterOf, type Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { Audit } from '../shared/audit/audit.ts'
import { ReasonResponse } from '../shared/http/message-schema.ts'
import { CameraResponse } from './camera-response.ts'
import type { ConnectionTest } from './connection-test.ts'
import type { Snapshot, SnapshotCaller } from './snapshots.ts'
import { ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/http/etag.ts'
import { nullable } from '../shared/nullable.ts'
import { CameraPath } from '../shared/camera/camera-path.ts'

const TestedSource = Type.Object(
  { source: Type.String({ minLength: 1, maxLength: 2048 }) },
  { additionalProperties: false },
)
export type TestedSource = Static<typeof TestedSource>

export const ConnectionTestResponse = Type.Union([
  Type.Object({
    ok: Type.Literal(true),
    codec: Type.String({ description: 'Video codec (RFC 6381), for example `avc1.4D401F`.' }),
    resolution: Type.String(),
    fps: nullable(Type.Number()),
    snapshot: Type.String({ description: 'A JPEG as a `data:` URL.' }),
  }),
  Type.Object({
    ok: Type.Literal(false),
    detail: Type.String({ description: 'What failed.' }),
    reason: ReasonResponse,
  }),
])
export type ConnectionTestResponse = Static<typeof ConnectionTestResponse>

/** The cameras, as the routes need them. */
export interface CamerasToShow {
  list(scope: CameraScope): CameraResponse[]
  responseOf(name: ScopedCamera): CameraResponse
  /** The configured source with its placeholders resolved. Secret. */
  sourceOf(name: string): string
  /** @param caller default: the service itself. A snapshot that no one needs anymore isn't decoded. */
  latest(
    name: ScopedCamera,
    height?: number,
    isKnown?: (at: number) => boolean,
    caller?: SnapshotCaller,
  ): Promise<Snapshot | undefined>
}

export interface CameraRouteDeps {
  readonly cameras: CamerasToShow
  readonly connectionTest: ConnectionTest
  readonly audit: Audit
}

export function cameraRoutes({ cameras, connectionTest, audit }: CameraRouteDeps): Route[] {
  const test = async (source: string, target: string | null, caller: Caller): Promise<ConnectionTestResponse> => {
    // Before the test: the address of a client that has disconnected isn't known anymore.
    const entry = { action: 'camera.test', ...actorOf(caller), target } as const
    const result = await connectionTest.try(source, caller.signal)
    if (!result) {
      audit.record({ ...entry, result: 'failure', detail: 'canceled' })
      throw new ServiceError('unavailable', { note: 'The test was canceled.' })
    }
    audit.record(
      result.ok ? { ...entry, result: 'success' } : { ...entry, result: 'failure', detail: result.reason.code },
    )
    // The test took up to 30 seconds, and its response shows a snapshot.
    await caller.authorizeAgain()
    return result
  }

  return [
    route({
      method: 'GET',
      path: '/api/cameras',
      access: { cameras: 'any' },
      schema: { summary: 'List the cameras that the caller can see.', response: { 200: Type.Array(CameraResponse) } },
      handle: (_input, { scope }) => cameras.list(scope),
    }),
    route({
      method: 'POST',
      path: '/api/cameras/test',
      access: { service: 'cameras.manage', about: 'all-cameras' },
      confirm: { never: 'it changes nothing' },
      schema: {
        summary: 'Test a source for up to 30 s. Placeholders are not resolved.',
        body: TestedSource,
        response: { 200: ConnectionTestResponse },
      },
      handle: ({ body: { source } }, caller) => test(source, shownSource(source), caller),
    }),
    route({
      method: 'POST',
      path: '/api/cameras/:camera/test',
      access: { service: 'cameras.manage', about: aboutPathCamera },
      confirm: { never: 'it changes nothing' },
      schema: {
        summary: 'Test the source of a configured camera for up to 30 s.',
        params: CameraPath,
        response: { 200: ConnectionTestResponse },
      },
      handle: ({ params: { camera } }, caller) => test(cameras.sourceOf(camera), camera, caller),
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera',
      access: { camera: 'any', of: 'path' },
      schema: { summary: 'Get a camera.', params: CameraPath, response: { 200: CameraResponse } },
      handle: (_input, { camera }) => cameras.responseOf(camera),
    }),
    ...snapshotRoutes(atCamera, cameras),
  ]
}

/** A camera's newest frame. */
export const snapshotRoutes = (
  { path, params, access }: CameraPlace,
  cameras: Pick<CamerasToShow, 'latest'>,
): Route[] => [
  route({
    method: 'GET',
    path: `${path}/latest.jpg`,
    access: { camera: 'live', ...access },
    reads: 'snapshot',
    schema: {
      summary:
        'Get the newest snapshot as a JPEG, also while the camera is offline. `Last-Modified` is the time of its frame; 503 with ' +
        'the reason if there is none. With its `ETag` in `If-None-Match`: 304 until there is a newer one.',
      params: Type.Object(params),
      querystring: Type.Object({
        height: Type.Optional(
          Type.Integer({
            minimum: 32,
            maximum: 2160,
            description: 'Maximum height, pixels. A lower frame is not scaled up.',
          }),
        ),
      }),
      otherResponses: { 200: 'image/jpeg', 304: null },
    },
    async handle({ query, header }, caller) {
      let etag = ''
      const isKnown = (at: number): boolean => {
        etag = `"${at}"`
        return namesVersion(header('if-none-match'), etag)
      }
      const by = { signal: caller.signal, requester: requesterOf(caller) }
      const snapshot = await cameras.latest(caller.camera, query.height, isKnown, by)
      if (!snapshot) return respond({ status: 304, headers: { 'cache-control': 'private, no-store', etag } })
      const { jpeg, at } = snapshot
      return respond({
        body: jpeg,
        headers: {
          'content-type': 'image/jpeg',
          'cache-control': 'private, no-store',
          'last-modified': new Date(at).toUTCString(),
          etag: `"${at}"`,
        },
      })
    },
  }),
]

/** The source without any part that may be a password. */
function shownSource(source: string): string | null {
  const url = URL.parse(source)
  if (!url) return null
  return url.host === '' ? url.protocol : `${url.protocol}//${url.host}`
}
