import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { answer, route, type Route } from '../http/route.ts'
import type { LiveHls } from '../media/live-hls.ts'
import { mjpegType } from '../media/mjpeg.ts'
import { ServiceError } from '../shared/errors.ts'

const CameraPath = Type.Object({ camera: Type.String() })
const PartPath = Type.Object({ camera: Type.String(), number: Type.String({ pattern: '^\\d{1,15}$' }) })

/** Cameras for those who cannot take the live stream as it is. */
export interface LiveForOthers {
  /** Its playlist is refused, with the reason, where there is none. */
  hls(name: string): LiveHls & { playlist(): Promise<string> }
  /** Its pictures one after the other, from the newest on. */
  mjpeg(name: string, height?: number): Promise<Readable>
}

/** Nobody keeps what is live. */
const headersOf = (type: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': 'private, no-store',
})

/** What came before the window that is held, or never did. */
function held(part: Buffer | undefined): Buffer {
  if (!part) throw new ServiceError('not-found', 'This moment has passed.', { reason: 'moment-passed' })
  return part
}

/** Live video for players that know no Media Source Extensions, and pictures for clients that know no video. */
export const liveRoutes = (cameras: LiveForOthers): Route[] => [
  route({
    method: 'GET',
    path: '/api/cameras/:camera/live/index.m3u8',
    access: { camera: 'cameras.watch', of: 'path' },
    reads: 'watch',
    schema: {
      summary: 'Live video as HLS, some seconds late; made while somebody asks. 503 while no picture comes',
      params: CameraPath,
    },
    handle: async ({ params }) =>
      answer({
        body: await cameras.hls(params.camera).playlist(),
        headers: headersOf('application/vnd.apple.mpegurl'),
      }),
  }),
  route({
    method: 'GET',
    path: '/api/cameras/:camera/live/:number/init.mp4',
    access: { camera: 'cameras.watch', of: 'path' },
    reads: 'watch',
    schema: { summary: 'What a player needs before the segments of live HLS', params: PartPath },
    handle: ({ params }) =>
      answer({ body: held(cameras.hls(params.camera).init(Number(params.number))), headers: headersOf('video/mp4') }),
  }),
  route({
    method: 'GET',
    path: '/api/cameras/:camera/live/:number/video.m4s',
    access: { camera: 'cameras.watch', of: 'path' },
    reads: 'watch',
    schema: { summary: 'One segment of live HLS; 404 once it has passed', params: PartPath },
    handle: ({ params }) =>
      answer({
        body: held(cameras.hls(params.camera).segment(Number(params.number))),
        headers: headersOf('video/iso.segment'),
      }),
  }),
  route({
    method: 'GET',
    path: '/api/cameras/:camera/mjpeg',
    access: { camera: 'cameras.watch', of: 'path' },
    reads: 'watch',
    schema: {
      summary:
        'Live pictures one after the other (`multipart/x-mixed-replace`), for simple clients: one for each key frame, at ' +
        'most four a second. Who reads too slowly loses pictures',
      params: CameraPath,
      querystring: Type.Object({
        height: Type.Optional(
          Type.Integer({
            minimum: 32,
            maximum: 2160,
            description: 'Pixels: the next of 180, 360, 720 and 1080; a lower picture stays as it is.',
          }),
        ),
      }),
    },
    handle: async ({ params, query }) =>
      answer({
        body: await cameras.mjpeg(params.camera, query.height),
        headers: { ...headersOf(mjpegType), 'x-accel-buffering': 'no' },
      }),
  }),
]
