import { Type, type Static } from 'typebox'
import { beforeEnd } from '../access/recorded-time.ts'
import { atCamera } from '../http/camera-place.ts'
import { route, type Route } from '../http/route.ts'
import { dayIn } from '../shared/time/day-in.ts'
import { longestDay } from '../shared/time/durations.ts'
import { invalidField } from '../shared/errors.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'
import { segmentRoutes } from './segments.routes.ts'
import {
  maxSegments,
  playlistType,
  segmentStream,
  sendClip,
  sendPlaylist,
  shownIn,
  type RecordingRouteDeps,
} from './send-recording.ts'
import { SummaryResponse, summaryOf } from './summary.ts'
import { timelineOf, type TimeRange } from './timeline.ts'
import { UnixSeconds } from '../shared/http/timestamp.ts'
import { CameraPath } from '../shared/camera/camera-path.ts'

const Span = {
  after: UnixSeconds('Start of the time range, Unix seconds. A segment that ends later is included.'),
  before: UnixSeconds('End of the time range, Unix seconds. A segment that starts earlier is included.'),
}

const SegmentResponse = Type.Object({
  id: Type.String({ description: 'Id of the segment, unique per camera.' }),
  start: Type.Number({ description: 'Start time, Unix seconds.' }),
  end: Type.Number({ description: 'End time, Unix seconds.' }),
  bytes: Type.Integer({ description: 'Size in bytes.' }),
  motion: Type.Integer({ description: 'Largest part of the frame that moved, percent.' }),
})

export const TimelineResponse = Type.Object({
  spans: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() }), {
    description: 'Time ranges recorded without a gap, Unix seconds.',
  }),
  motion: Type.Array(Type.Integer(), {
    description: 'Largest part of the frame that moved, percent, for each of the equal parts of the time range.',
  }),
  unavailable: Type.Optional(
    Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() }), {
      description:
        "Parts of the spans that are on disks that can't be reached, of an instance that isn't responding or of none, and play when these are back, Unix seconds. Present if there are any.",
    }),
  ),
})
export type TimelineResponse = Static<typeof TimelineResponse>

/** Maximum length of a playlist or clip, in seconds. */
const longest = longestDay / 1000
/** Maximum length of a summary, in seconds. */
const longestSummary = 62 * 86_400
/** Milliseconds. */
const quarterHour = 900_000

export function recordingRoutes({ store, bytes }: RecordingRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/cameras/:camera/recordings',
      access: { camera: 'history', of: 'path', time: beforeEnd('query.before') },
      schema: {
        summary: 'List recorded segments, oldest first.',
        params: CameraPath,
        querystring: Type.Object(Span),
        response: { 200: Type.Object({ segments: Type.Array(SegmentResponse) }) },
      },
      async handle({ query }, { camera, scope }) {
        const { after, before } = spanOf(query, longest)
        const segments = await store.entries(camera, Math.max(after, scope.since), before, maxSegments)
        return {
          segments: shownIn(scope, segments).map(({ start, end, bytes, motion }) => ({
            id: String(start),
            start: start / 1000,
            end: end / 1000,
            bytes,
            motion,
          })),
        }
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/recordings/summary',
      access: { camera: 'history', of: 'path', time: beforeEnd('query.before') },
      schema: {
        summary: 'Sum up recordings by hour and by day.',
        params: CameraPath,
        querystring: Type.Object({
          ...Span,
          timezone: Type.Optional(
            Type.String({
              maxLength: 64,
              description: 'Time zone of the days, for example `Europe/Berlin`.',
              default: 'UTC',
            }),
          ),
        }),
        response: { 200: SummaryResponse },
      },
      async handle({ query }, { camera, scope }) {
        const { after, before } = spanOf(query, longestSummary)
        const dayOf = dayIn(query.timezone ?? 'UTC')
        const quarters = await store.quarters(camera, Math.max(after, scope.since), before)
        return summaryOf(
          quarters.filter(({ quarter }) => quarter * quarterHour >= scope.since),
          dayOf,
        )
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/timeline',
      access: { camera: 'history', of: 'path', time: beforeEnd('query.before') },
      schema: {
        summary: 'Get the timeline: recorded time ranges and motion.',
        params: CameraPath,
        querystring: Type.Object({
          ...Span,
          buckets: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 2000, default: 288, description: 'Number of motion values.' }),
          ),
        }),
        response: { 200: TimelineResponse },
      },
      async handle({ query }, { camera, scope }) {
        const { after, before } = spanOf(query, longest)
        const found = shownIn(scope, await store.spans(camera, Math.max(after, scope.since), before))
        const { spans, motion } = timelineOf(found, after, before, query.buckets ?? 288)
        const away = found.filter(({ isAway }) => isAway)
        return {
          spans: spans.map(inSeconds),
          motion,
          ...(away.length > 0 && { unavailable: timelineOf(away, after, before, 1).spans.map(inSeconds) }),
        }
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/playback/:start/:end/index.m3u8',
      access: { camera: 'history', of: 'path', time: beforeEnd('params.end') },
      reads: 'playback',
      schema: {
        summary: 'Get an HLS playlist of the segments that overlap the time range; 404 if nothing was recorded.',
        params: Type.Object({
          camera: Type.String(),
          start: UnixSeconds('Start of the time range, Unix seconds.'),
          end: UnixSeconds('End of the time range, Unix seconds.'),
        }),
        otherResponses: { 200: playlistType },
      },
      handle: ({ params }, caller) =>
        sendPlaylist(
          { store, bytes },
          spanOf({ after: params.start, before: params.end }, longest, 'end'),
          '../../../segments/',
          caller,
        ),
    }),
    ...segmentRoutes(atCamera, { store, bytes }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/clip.mp4',
      access: { camera: 'download', of: 'path', time: beforeEnd('query.end'), parts: ['audio'] },
      reads: 'download',
      stream: segmentStream,
      schema: {
        summary:
          'Download a time range as one MP4, starting at the key frame before `start`. Nothing is decoded; gaps are left out.',
        params: CameraPath,
        querystring: Type.Object({
          start: UnixSeconds('Start of the time range, Unix seconds.'),
          end: UnixSeconds('End of the time range, Unix seconds.'),
        }),
        otherResponses: { 200: 'video/mp4', 206: 'video/mp4', 304: null, 416: null },
      },
      handle: ({ query, header }, caller) => {
        const span = spanOf({ after: query.start, before: query.end }, longest, 'end')
        return sendClip({ store, bytes }, span, { header, disposition: 'inline' }, caller)
      },
    }),
  ]
}

const inSeconds = ({ start, end }: TimeRange) => ({ start: start / 1000, end: end / 1000 })

/** @throws ServiceError `invalid-request` if the time range is empty or too long. */
function spanOf({ after, before }: { after: number; before: number }, limit: number, last = 'before') {
  if (before <= after) throw invalidField(last, fieldProblem('before-start'))
  if (before - after > limit) throw invalidField(last, fieldProblem('span-too-long', { hours: limit / 3600 }))
  return { after: Math.floor(after * 1000), before: Math.ceil(before * 1000) }
}
