import { Type, type Static } from 'typebox'
import { answer, route, type Route } from '../http/route.ts'
import { sliceOf } from '../shared/byte-range.ts'
import { dayIn } from '../shared/day-in.ts'
import { ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/etag.ts'
import type { AnyCodedMessage } from '../shared/coded-message.ts'
import { createClip } from './clip.ts'
import { inPlayOrder, playlistOf } from './playlist.ts'
import type { RecordingStore, Segment } from './recording-store.ts'
import type { SegmentBytes } from './segment-bytes.ts'
import { SummaryResponse, summaryOf } from './summary.ts'
import { timelineOf } from './timeline.ts'

const CameraPath = Type.Object({ camera: Type.String() })
const SegmentPath = Type.Object({ camera: Type.String(), id: Type.String({ pattern: '^\\d{1,15}$' }) })

const Timestamp = (description: string) => Type.Number({ minimum: 0, maximum: 253_402_300_799, description })
const Span = {
  after: Timestamp('Unix seconds: what ends later.'),
  before: Timestamp('Unix seconds: what begins earlier.'),
}

export const SegmentResponse = Type.Object({
  id: Type.String({ description: 'Names it among those of its camera.' }),
  start: Type.Number({ description: 'Unix seconds.' }),
  end: Type.Number({ description: 'Unix seconds.' }),
  bytes: Type.Integer(),
  motion: Type.Integer({ description: 'Percent of the picture that moved at most.' }),
})

export const TimelineResponse = Type.Object({
  spans: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() }), {
    description: 'Stretches recorded without a break, unix seconds.',
  }),
  motion: Type.Array(Type.Integer(), {
    description: 'Percent of the picture that moved at most, in each of equal parts of the time asked for.',
  }),
})
export type TimelineResponse = Static<typeof TimelineResponse>

/** Seconds of one playlist or clip: a day, and the hour that some days have more. */
const longest = 25 * 3600
/** Seconds of one summary. */
const longestSummary = 62 * 86_400
/** Segments of one answer. */
const max = 20_000

export interface RecordingRouteDeps {
  readonly store: Pick<RecordingStore, 'between' | 'entries' | 'spans' | 'quarters' | 'startingAt'>
  readonly bytes: SegmentBytes
}

/** What is kept by a browser is asked for again each time: permission may have ended. */
const media = (type: string, etag: string) => ({
  'content-type': type,
  'cache-control': 'private, no-cache',
  etag,
})

/** Of the bytes of a segment, which may lose its end. */
const versionOf = ({ start, bytes }: Segment): string => `${start}-${bytes}`

export function recordingRoutes({ store, bytes }: RecordingRouteDeps): Route[] {
  const segmentNamed = async ({ camera, id }: Static<typeof SegmentPath>): Promise<Segment> => {
    const segment = await store.startingAt(camera, Number(id))
    if (!segment) throw new ServiceError('not-found', 'This recording is gone.', { reason: 'recording-gone' })
    return segment
  }

  return [
    route({
      method: 'GET',
      path: '/api/cameras/:camera/recordings',
      access: { camera: 'recordings.watch', of: 'path' },
      schema: {
        summary: 'What was recorded, segment by segment, oldest first',
        params: CameraPath,
        querystring: Type.Object(Span),
        response: { 200: Type.Object({ segments: Type.Array(SegmentResponse) }) },
      },
      async handle({ params, query }) {
        const { after, before } = spanOf(query, longest)
        const segments = await store.entries(params.camera, after, before, max)
        return {
          segments: segments.map(({ start, end, bytes, motion }) => ({
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
      access: { camera: 'recordings.watch', of: 'path' },
      schema: {
        summary: 'How much was recorded in which hour, and on which day',
        params: CameraPath,
        querystring: Type.Object({
          ...Span,
          timezone: Type.Optional(
            Type.String({ maxLength: 64, description: 'Of the days, as `Europe/Berlin`.', default: 'UTC' }),
          ),
        }),
        response: { 200: SummaryResponse },
      },
      async handle({ params, query }) {
        const { after, before } = spanOf(query, longestSummary)
        const dayOf = dayIn(query.timezone ?? 'UTC')
        return summaryOf(await store.quarters(params.camera, after, before), dayOf)
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/timeline',
      access: { camera: 'recordings.watch', of: 'path' },
      schema: {
        summary: 'Stretches recorded, and how much moved when',
        params: CameraPath,
        querystring: Type.Object({
          ...Span,
          parts: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, default: 288, description: 'Of motion.' })),
        }),
        response: { 200: TimelineResponse },
      },
      async handle({ params, query }) {
        const { after, before } = spanOf(query, longest)
        const { spans, motion } = timelineOf(
          await store.spans(params.camera, after, before),
          after,
          before,
          query.parts ?? 288,
        )
        return { spans: spans.map(({ start, end }) => ({ start: start / 1000, end: end / 1000 })), motion }
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/playback/:start/:end/index.m3u8',
      access: { camera: 'recordings.watch', of: 'path' },
      reads: 'playback',
      schema: {
        summary: 'HLS of every segment that overlaps the span; 404 where nothing was recorded',
        params: Type.Object({
          camera: Type.String(),
          start: Timestamp('Unix seconds.'),
          end: Timestamp('Unix seconds.'),
        }),
      },
      async handle({ params }) {
        const { after, before } = spanOf({ after: params.start, before: params.end }, longest, 'end')
        const segments = inPlayOrder(await store.entries(params.camera, after, before, max))
        if (segments.length === 0)
          throw new ServiceError('not-found', 'Nothing was recorded then.', { reason: 'nothing-recorded' })
        return answer({
          body: playlistOf(segments, '../../../segments/'),
          headers: { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'private, no-store' },
        })
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/segments/:id/init.mp4',
      access: { camera: 'recordings.watch', of: 'path' },
      reads: 'playback',
      schema: { summary: 'What a player needs before the segment of a playlist', params: SegmentPath },
      async handle({ params, header }) {
        const segment = await segmentNamed(params)
        const headers = media('video/mp4', `"${versionOf(segment)}"`)
        if (namesVersion(header('if-none-match'), headers.etag)) return answer({ status: 304, headers })
        return answer({ body: await bytes.head(segment), headers })
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/segments/:id/video.m4s',
      access: { camera: 'recordings.watch', of: 'path' },
      reads: 'playback',
      schema: {
        summary: 'One segment of a playlist',
        params: SegmentPath,
        querystring: Type.Object({
          at: Type.Number({
            minimum: 0,
            maximum: 1_000_000,
            description: 'Seconds at which its first picture is to be.',
          }),
        }),
      },
      async handle({ params, query, header }) {
        const segment = await segmentNamed(params)
        const headers = media('video/iso.segment', `"${versionOf(segment)}@${query.at}"`)
        if (namesVersion(header('if-none-match'), headers.etag)) return answer({ status: 304, headers, range: segment })
        const data = await bytes.at(segment, query.at)
        return answer({ body: data.subarray(segment.initBytes, segment.bytes), headers, range: segment })
      },
    }),
    route({
      method: 'GET',
      path: '/api/cameras/:camera/clip.mp4',
      access: { camera: 'recordings.watch', of: 'path' },
      reads: 'download',
      schema: {
        summary: 'One MP4, from the key frame before `start` on. Nothing is decoded; what was not recorded is left out',
        params: CameraPath,
        querystring: Type.Object({ start: Timestamp('Unix seconds.'), end: Timestamp('Unix seconds.') }),
      },
      async handle({ params, query, header }) {
        const { after, before } = spanOf({ after: query.start, before: query.end }, longest, 'end')
        const segments = await store.between(params.camera, after, before, max)
        const clip = await createClip(bytes, segments, after, before)
        const kept = media('video/mp4', clip.etag)
        if (namesVersion(header('if-none-match'), clip.etag)) return answer({ status: 304, headers: kept })
        const slice = sliceOf({ range: header('range'), ifRange: header('if-range') }, clip.size, clip.etag)
        const name = `${params.camera} ${new Date(after).toISOString().slice(0, 19).replaceAll(':', '-')}Z.mp4`
        return answer({
          status: slice.status,
          body: slice.status === 416 ? undefined : clip.read(slice.from, slice.to),
          range: { start: after, end: before },
          headers: {
            ...kept,
            'content-disposition': `inline; filename="${name}"`,
            ...slice.headers,
          },
        })
      },
    }),
  ]
}

/** @throws ServiceError `invalid` for a span that is none, or too long to be answered. */
function spanOf({ after, before }: { after: number; before: number }, limit: number, last = 'before') {
  const refuse = (problem: AnyCodedMessage): never => {
    throw new ServiceError('invalid', `\`${last}\` ${problem.message}`, { problems: [{ field: last, ...problem }] })
  }
  if (before <= after) refuse({ code: 'before-start', message: 'has to be later than the start' })
  const hours = limit / 3600
  if (before - after > limit) {
    refuse({ code: 'span-too-long', values: { hours }, message: `may be at most ${hours} hours after the start` })
  }
  return { after: Math.floor(after * 1000), before: Math.ceil(before * 1000) }
}
