import { Type } from 'typebox'
import { timeInPath } from '../access/recorded-time.ts'
import type { CameraPlace } from '../http/camera-place.ts'
import type { Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import { ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/http/etag.ts'
import type { Segment } from './index/recording-store.ts'
import type { RecordingReasons } from './reasons.ts'
import {
  mediaHeaders,
  playlistType,
  segmentStream,
  sendPlaylist,
  shownIn,
  type RecordingRouteDeps,
} from './send-recording.ts'

const SegmentId = Type.String({ pattern: '^\\d{1,15}$' })

/** Version of a segment's bytes: a segment may be truncated. */
const versionOf = ({ start, bytes }: Segment, audio: boolean): string => `${start}-${bytes}${audio ? '' : '-video'}`

/** The segments that playlists name. */
export function segmentRoutes({ path, params, access }: CameraPlace, { store, bytes }: RecordingRouteDeps): Route[] {
  const segmentNamed = async (id: string, { camera, scope }: Caller): Promise<Segment> => {
    const segment = await store.startingAt(camera, Number(id))
    if (!segment || shownIn(scope, [segment]).length === 0) {
      throw new ServiceError<RecordingReasons>('not-found', { reason: 'recording-deleted' })
    }
    return segment
  }

  return [
    route({
      method: 'GET',
      path: `${path}/segments/:id/init.mp4`,
      access: { camera: 'history', ...access, time: timeInPath('id'), parts: ['audio'] },
      reads: 'playback',
      schema: {
        summary: 'Get the init segment that a player needs before a segment of a playlist.',
        params: Type.Object({ ...params, id: SegmentId }),
        otherResponses: { 200: 'video/mp4', 304: null },
      },
      async handle({ params, header }, caller) {
        const segment = await segmentNamed(params.id, caller)
        const audio = caller.hasPart('audio')
        const headers = mediaHeaders('video/mp4', `"${versionOf(segment, audio)}"`)
        if (namesVersion(header('if-none-match'), headers.etag)) return respond({ status: 304, headers })
        return respond({ body: await (audio ? bytes.head(segment) : bytes.videoOnlyHead(segment)), headers })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/segments/:id/video.m4s`,
      access: { camera: 'history', ...access, time: timeInPath('id'), parts: ['audio'] },
      reads: 'playback',
      stream: segmentStream,
      schema: {
        summary: 'Get one segment of a playlist.',
        params: Type.Object({ ...params, id: SegmentId }),
        querystring: Type.Object({
          at: Type.Number({
            minimum: 0,
            maximum: 1_000_000,
            description: 'Time of the first frame in the playlist, seconds.',
          }),
          until: Type.Optional(
            Type.Integer({
              minimum: 0,
              description:
                'Time from which frames are left out, because another segment plays then, Unix milliseconds.',
            }),
          ),
        }),
        otherResponses: { 200: 'video/iso.segment', 304: null },
      },
      async handle({ params, query, header }, caller) {
        const segment = await segmentNamed(params.id, caller)
        const audio = caller.hasPart('audio')
        const { at, until } = query
        const headers = mediaHeaders('video/iso.segment', `"${versionOf(segment, audio)}@${[at, until].join('-')}"`)
        if (namesVersion(header('if-none-match'), headers.etag))
          return respond({ status: 304, headers, range: segment })
        return respond({ body: await bytes.fragments(segment, { at, until, audio }), headers, range: segment })
      },
    }),
  ]
}

/**
 * The recorded video in the scope of a share link: a playlist of it, with its segments. The link says which time range
 * it is, not the request.
 */
export const sharedRecordingRoutes = (place: CameraPlace, deps: RecordingRouteDeps): Route[] => [
  route({
    method: 'GET',
    path: `${place.path}/playback/index.m3u8`,
    access: { camera: 'history', ...place.access },
    reads: 'playback',
    schema: {
      summary: 'Get an HLS playlist of the recording that a link shows; 404 if it was deleted.',
      params: Type.Object(place.params),
      otherResponses: { 200: playlistType },
    },
    handle: (_input, caller) =>
      sendPlaylist(deps, { after: caller.scope.since, before: caller.scope.until }, '../segments/', caller),
  }),
  ...segmentRoutes(place, deps),
]
