import { Type, type Static } from 'typebox'
import type { CameraScope } from '../access/grant.ts'
import { beforeEnd, timeInPath } from '../access/recorded-time.ts'
import { answer, atCamera, route, type CameraPlace, type Caller, type Input, type Route } from '../http/route.ts'
import { sliceOf } from '../shared/http/byte-range.ts'
import { dayIn } from '../shared/time/day-in.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { unreachable } from '../shared/cluster/inner-body.ts'
import { namesVersion } from '../shared/http/etag.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'
import { createClip } from './clip.ts'
import { inPlayOrder, playlistOf } from './playlist.ts'
import type { PlayedPart } from './one-history.ts'
import type { History, Segment } from './index/recording-store.ts'
import type { SegmentBytes } from './segments/segment-bytes.ts'
import { SummaryResponse, summaryOf } from './summary.ts'
import { timelineOf, type TimeRange } from './timeline.ts'
import type { RecordingReasons } from './reasons.ts'

const CameraPath = Type.Object({ camera: Type.String() })
const SegmentId = Type.String({ pattern: '^\\d{1,15}$' })

const Timestamp = (description: string) => Type.Number({ minimum: 0, maximum: 253_402_300_799, description })
const Span = {
  after: Timestamp('Start of the time range, Unix seconds. A segment that ends later is included.'),
  before: Timestamp('End of the time range, Unix seconds. A segment that starts earlier is included.'),
}

export const SegmentResponse = Type.Object({
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
        'Parts of the spans that are on instances that are away, and play when these are back, Unix seconds. Present if there are any.',
    }),
  ),
})
export type TimelineResponse = Static<typeof TimelineResponse>

/** Maximum length of a playlist or clip, in seconds: a day, and one more hour for the day on which clocks go back. */
const longest = 25 * 3600
/** Maximum length of a summary, in seconds. */
const longestSummary = 62 * 86_400
/** Maximum number of segments in one response. */
const max = 20_000
const playlistType = 'application/vnd.apple.mpegurl'
/** Milliseconds. */
const quarterHour = 900_000

export interface RecordingRouteDeps {
  readonly store: Pick<History, 'between' | 'entries' | 'spans' | 'quarters' | 'startingAt'>
  readonly bytes: SegmentBytes
}

/** A browser must revalidate a cached response each time, because permission may have been revoked. */
const media = (type: string, etag: string) => ({
  'content-type': type,
  'cache-control': 'private, no-cache',
  etag,
})

/** Version of a segment's bytes: a segment may be truncated. */
const versionOf = ({ start, bytes }: Segment, audio: boolean): string => `${start}-${bytes}${audio ? '' : '-video'}`

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
      async handle({ params, query }, { scope }) {
        const { after, before } = spanOf(query, longest)
        const segments = await store.entries(params.camera, Math.max(after, scope.since), before, max)
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
      async handle({ params, query }, { scope }) {
        const { after, before } = spanOf(query, longestSummary)
        const dayOf = dayIn(query.timezone ?? 'UTC')
        const quarters = await store.quarters(params.camera, Math.max(after, scope.since), before)
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
      async handle({ params, query }, { scope }) {
        const { after, before } = spanOf(query, longest)
        const found = shownIn(scope, await store.spans(params.camera, Math.max(after, scope.since), before))
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
          start: Timestamp('Start of the time range, Unix seconds.'),
          end: Timestamp('End of the time range, Unix seconds.'),
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
      schema: {
        summary:
          'Download a time range as one MP4, starting at the key frame before `start`. Nothing is decoded; gaps are left out.',
        params: CameraPath,
        querystring: Type.Object({
          start: Timestamp('Start of the time range, Unix seconds.'),
          end: Timestamp('End of the time range, Unix seconds.'),
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

/** The segments that playlists name. */
function segmentRoutes({ path, params, access }: CameraPlace, { store, bytes }: RecordingRouteDeps): Route[] {
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
        const headers = media('video/mp4', `"${versionOf(segment, audio)}"`)
        if (namesVersion(header('if-none-match'), headers.etag)) return answer({ status: 304, headers })
        return answer({ body: await (audio ? bytes.head(segment) : bytes.videoOnlyHead(segment)), headers })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/segments/:id/video.m4s`,
      access: { camera: 'history', ...access, time: timeInPath('id'), parts: ['audio'] },
      reads: 'playback',
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
        const headers = media('video/iso.segment', `"${versionOf(segment, audio)}@${[at, until].join('-')}"`)
        if (namesVersion(header('if-none-match'), headers.etag)) return answer({ status: 304, headers, range: segment })
        return answer({ body: await bytes.fragments(segment, { at, until, audio }), headers, range: segment })
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

const inSeconds = ({ start, end }: TimeRange) => ({ start: start / 1000, end: end / 1000 })

/** Unix milliseconds, end exclusive. */
interface RecordedSpan {
  readonly after: number
  readonly before: number
}

/** @param folder the path of the segments, relative to the playlist */
async function sendPlaylist(
  { store }: RecordingRouteDeps,
  { after, before }: RecordedSpan,
  folder: string,
  { camera, scope }: Caller,
) {
  const found = shownIn(
    scope,
    await store.entries(camera, Math.max(after, scope.since), Math.min(before, scope.until), max),
  )
  if (found.length === 0) throw new ServiceError<RecordingReasons>('not-found', { reason: 'nothing-recorded' })
  const segments = inPlayOrder(found.filter(({ isAway }) => !isAway))
  if (segments.length === 0) throw unreachable()
  return answer({
    body: playlistOf(segments, folder),
    headers: { 'content-type': playlistType, 'cache-control': 'private, no-store' },
  })
}

export interface SentFile {
  /** The request's headers: ranges and preconditions. */
  readonly header: Input<object>['header']
  /** `inline`: to play. `attachment`: to save. */
  readonly disposition: 'inline' | 'attachment'
}

/** Sends the recorded video in a range and in the caller's scope as one MP4. The rule has the part `audio`. */
export async function sendClip(
  { store, bytes }: RecordingRouteDeps,
  span: RecordedSpan,
  { header, disposition }: SentFile,
  caller: Caller,
) {
  const { camera, scope } = caller
  const [after, before] = [Math.max(span.after, scope.since), Math.min(span.before, scope.until)]
  const segments = shownIn(scope, await store.between(camera, after, before, max))
  const clip = await createClip(bytes, segments, { start: after, end: before, audio: caller.hasPart('audio') })
  const kept = media('video/mp4', clip.etag)
  if (namesVersion(header('if-none-match'), clip.etag)) return answer({ status: 304, headers: kept })
  const slice = sliceOf({ range: header('range'), ifRange: header('if-range') }, clip.size, clip.etag)
  const name = `${camera} ${new Date(after).toISOString().slice(0, 19).replaceAll(':', '-')}Z.mp4`
  return answer({
    status: slice.status,
    body: slice.status === 416 ? undefined : clip.read(slice.from, slice.to),
    range: { start: after, end: before },
    headers: {
      ...kept,
      'content-disposition': `${disposition}; filename="${name}"`,
      ...slice.headers,
    },
  })
}

/** The segments that are wholly in the caller's time: also the one in which it begins is too old, by a part. */
const shownIn = <S extends PlayedPart<{ readonly start: number; readonly end: number }>>(
  { since, until }: CameraScope,
  segments: readonly S[],
): S[] => segments.filter(({ start, end, fileEnd = end }) => start >= since && fileEnd <= until)

/** @throws ServiceError `invalid-request` if the time range is empty or too long. */
function spanOf({ after, before }: { after: number; before: number }, limit: number, last = 'before') {
  if (before <= after) throw invalidField(last, fieldProblem('before-start'))
  if (before - after > limit) throw invalidField(last, fieldProblem('span-too-long', { hours: limit / 3600 }))
  return { after: Math.floor(after * 1000), before: Math.ceil(before * 1000) }
}
