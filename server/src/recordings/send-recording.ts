import type { CameraScope } from '../access/grant.ts'
import type { Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import type { Input } from '../http/route.ts'
import { unreachable } from '../shared/cluster/inner-body.ts'
import { ServiceError } from '../shared/errors.ts'
import { sliceOf } from '../shared/http/byte-range.ts'
import { namesVersion } from '../shared/http/etag.ts'
import { DiskLost } from '../shared/storage/mounted-disk.ts'
import { createClip } from './clip.ts'
import type { NamedRecordings } from './named-recordings.ts'
import type { PlayedPart } from './one-history.ts'
import { inPlayOrder, playlistOf } from './playlist.ts'
import type { RecordingReasons } from './reasons.ts'
import type { SegmentBytes } from './segments/segment-bytes.ts'

/** Maximum number of segments in one response. */
export const maxSegments = 20_000
export const playlistType = 'application/vnd.apple.mpegurl'

/** Limits the responses of one user for which a whole segment, often of ten megabytes, is held in memory while it is sent. */
export const segmentStream = { maxPerUser: () => 48 } as const

export interface RecordingRouteDeps {
  readonly store: Omit<NamedRecordings, 'within'>
  readonly bytes: SegmentBytes
}

/** A browser must revalidate a cached response each time, because permission may have been revoked. */
export const mediaHeaders = (type: string, etag: string) => ({
  'content-type': type,
  'cache-control': 'private, no-cache',
  etag,
})

/** Unix milliseconds, end exclusive. */
interface RecordedSpan {
  readonly after: number
  readonly before: number
}

/**
 * Sends a playlist of the recorded video in a range and in the caller's scope.
 *
 * @param folder the path of the segments, relative to the playlist
 * @throws ServiceError `not-found` if nothing was recorded, `unavailable` if all of it is on disks that can't be reached
 */
export async function sendPlaylist(
  { store }: RecordingRouteDeps,
  { after, before }: RecordedSpan,
  folder: string,
  { camera, scope }: Caller,
) {
  const found = shownIn(
    scope,
    await store.entries(camera, Math.max(after, scope.since), Math.min(before, scope.until), maxSegments),
  )
  if (found.length === 0) throw new ServiceError<RecordingReasons>('not-found', { reason: 'nothing-recorded' })
  const segments = inPlayOrder(found.filter(({ isAway }) => !isAway))
  if (segments.length === 0) throw found.every(({ isLost }) => isLost) ? new DiskLost() : unreachable()
  return respond({
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
  const segments = shownIn(scope, await store.between(camera, after, before, maxSegments))
  const clip = await createClip(bytes, segments, { start: after, end: before, audio: caller.hasPart('audio') })
  const kept = mediaHeaders('video/mp4', clip.etag)
  if (namesVersion(header('if-none-match'), clip.etag)) return respond({ status: 304, headers: kept })
  const slice = sliceOf({ range: header('range'), ifRange: header('if-range') }, clip.size, clip.etag)
  const name = `${camera} ${new Date(after).toISOString().slice(0, 19).replaceAll(':', '-')}Z.mp4`
  return respond({
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
export const shownIn = <S extends PlayedPart<{ readonly start: number; readonly end: number }>>(
  { since, until }: CameraScope,
  segments: readonly S[],
): S[] => segments.filter(({ start, end, fileEnd = end }) => start >= since && fileEnd <= until)
