import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { ScopedCamera } from '../access/grant.ts'
import { atCamera, type CameraPlace } from '../http/camera-place.ts'
import { requesterOf } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { LiveHls } from '../media/live/live-hls.ts'
import { mjpegType } from '../media/live/mjpeg-part.ts'
import type { Viewer } from '../media/live/viewers.ts'
import { ServiceError } from '../shared/errors.ts'
import type { SnapshotCaller } from './snapshots.ts'
import type { CameraReasons } from './reasons.ts'
import { CameraPath } from '../shared/camera/camera-path.ts'

const PartNumber = Type.String({ pattern: '^\\d{1,15}$' })

/** Live video, as the routes need it. */
export interface LiveVideo {
  /** Sends the video to a WebSocket, and the camera's state while there is none. */
  watch(name: ScopedCamera, viewer: Viewer, audio: boolean): void
  /** Its playlist is rejected with the reason if there is no video. */
  hls(name: ScopedCamera): LiveHls & { playlist(): Promise<string> }
  /** The frames one after the other, from the newest on. */
  mjpeg(name: ScopedCamera, height: number | undefined, caller: SnapshotCaller): Promise<Readable>
  /**
   * MJPEG streams that one user, API token or screen can have open: half the decoders. So one of them can't
   * take all, whatever they show, and neither can a user with all API tokens, who can have half as many more.
   */
  readonly maxMjpegPerUser: number
}

/** Live video is never cached. */
const headersOf = (type: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': 'private, no-store',
})

/** Rejects parts outside the segments in memory. */
function held(part: Buffer | undefined): Buffer {
  if (!part) throw new ServiceError<CameraReasons>('not-found', { reason: 'segment-expired' })
  return part
}

/** Live video over a WebSocket, and as HLS for players without Media Source Extensions. */
export const liveVideoRoutes = (
  { path, params, access }: CameraPlace,
  cameras: Pick<LiveVideo, 'watch' | 'hls'>,
): Route[] => [
  route({
    path: `${path}/live`,
    access: { camera: 'live', ...access, parts: ['audio'] },
    reads: 'watch',
    schema: {
      summary: 'Stream live video.',
      description:
        'For Media Source Extensions. A text frame `{"mime":"…"}` begins a stream and a new source buffer; binary ' +
        'frames follow: the init segment, then MP4 fragments from a key frame on. While the camera is not online, a ' +
        'text frame `{"state":"…","detail":"…","reason":{"code":"…"}}` is sent instead, the socket stays open, and the ' +
        'next stream begins with `{"mime"}` again. A slow reader skips to the next key frame.',
      params: Type.Object(params),
    },
    socket: (socket, _input, caller) => cameras.watch(caller.camera, socket, caller.hasPart('audio')),
  }),
  route({
    method: 'GET',
    path: `${path}/live/index.m3u8`,
    access: { camera: 'live', ...access },
    reads: 'watch',
    schema: {
      summary:
        'Get live video as an HLS playlist, some seconds late. Created on demand; 503 while the camera sends no video.',
      params: Type.Object(params),
      otherResponses: { 200: 'application/vnd.apple.mpegurl' },
    },
    handle: async (_input, { camera }) =>
      respond({
        body: await cameras.hls(camera).playlist(),
        headers: headersOf('application/vnd.apple.mpegurl'),
      }),
  }),
  route({
    method: 'GET',
    path: `${path}/live/:number/init.mp4`,
    access: { camera: 'live', ...access, parts: ['audio'] },
    reads: 'watch',
    schema: {
      summary: 'Get the init segment of live HLS.',
      params: Type.Object({ ...params, number: PartNumber }),
      otherResponses: { 200: 'video/mp4' },
    },
    handle: ({ params }, caller) =>
      respond({
        body: held(cameras.hls(caller.camera).init(Number(params.number), caller.hasPart('audio'))),
        headers: headersOf('video/mp4'),
      }),
  }),
  route({
    method: 'GET',
    path: `${path}/live/:number/video.m4s`,
    access: { camera: 'live', ...access, parts: ['audio'] },
    reads: 'watch',
    schema: {
      summary: 'Get a segment of live HLS. 404 once it has expired.',
      params: Type.Object({ ...params, number: PartNumber }),
      otherResponses: { 200: 'video/iso.segment' },
    },
    handle: ({ params }, caller) =>
      respond({
        body: held(cameras.hls(caller.camera).segment(Number(params.number), caller.hasPart('audio'))),
        headers: headersOf('video/iso.segment'),
      }),
  }),
]

/** A camera's live video, also as JPEG frames for simple clients. */
export const liveRoutes = (cameras: LiveVideo): Route[] => [
  ...liveVideoRoutes(atCamera, cameras),
  route({
    method: 'GET',
    path: '/api/cameras/:camera/mjpeg',
    access: { camera: 'live', of: 'path' },
    reads: 'watch',
    schema: {
      summary:
        'Stream live frames (`multipart/x-mixed-replace`) for simple clients: one for each key frame, at ' +
        'most four per second. A slow reader skips frames.',
      params: CameraPath,
      querystring: Type.Object({
        height: Type.Optional(
          Type.Integer({
            minimum: 32,
            maximum: 2160,
            description: 'Height, pixels: the next of 180, 360, 720 and 1080. A lower frame is not scaled up.',
          }),
        ),
      }),
      otherResponses: { 200: 'multipart/x-mixed-replace' },
    },
    stream: { maxPerUser: () => cameras.maxMjpegPerUser },
    handle: async ({ query }, caller) =>
      respond({
        body: await cameras.mjpeg(caller.camera, query.height, {
          signal: caller.signal,
          requester: requesterOf(caller),
        }),
        headers: { ...headersOf(mjpegType), 'x-accel-buffering': 'no' },
      }),
  }),
]
