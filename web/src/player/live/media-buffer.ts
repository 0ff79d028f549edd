import { steer, type Span } from './live-edge.ts'

/** The Media Source Extensions class of this browser. Safari on iPhones has only `ManagedMediaSource`. */
type MediaSourceKind = typeof MediaSource

const available = (): MediaSourceKind | undefined =>
  (globalThis as { ManagedMediaSource?: MediaSourceKind }).ManagedMediaSource ??
  (globalThis as { MediaSource?: MediaSourceKind }).MediaSource

/** Whether the browser has Media Source Extensions. */
export const canFeed = (): boolean => available() !== undefined

export const canPlay = (mime: string): boolean => available()?.isTypeSupported(mime) ?? false

/** Bytes queued for the browser beyond which it is not keeping up. */
const maxWaiting = 16 * 1024 * 1024

export interface MediaBuffer {
  append(bytes: ArrayBuffer): void
  stop(): void
}

/**
 * Appends fragmented MP4 of one type to a video element, and keeps playback near the live edge.
 *
 * @param onBroken called when the browser rejects something; the buffer is unusable from then on
 */
export function createMediaBuffer(
  video: HTMLVideoElement,
  mime: string,
  onBroken: (error: unknown) => void,
): MediaBuffer {
  const Kind = available()
  if (!Kind) throw new Error('no MediaSource here')
  const source = new Kind()
  const queue: ArrayBuffer[] = []
  let waiting = 0
  let buffer: SourceBuffer | undefined
  let stopped = false
  /** The last fragment that did not fit in the browser's buffer. */
  let refused: ArrayBuffer | undefined

  const detach = attach(video, source)

  const broken = (error: unknown) => {
    if (stopped) return
    stop()
    onBroken(error)
  }

  const pump = () => {
    if (stopped || !buffer || buffer.updating || source.readyState !== 'open') return
    try {
      const { seek, rate, dropBefore } = steer(spansOf(buffer.buffered), video.currentTime)
      if (seek !== undefined) video.currentTime = seek
      if (video.playbackRate !== rate) video.playbackRate = rate
      const next = queue[0]
      if (next) {
        buffer.appendBuffer(next)
        queue.shift()
        waiting -= next.byteLength
      } else if (dropBefore !== undefined) {
        buffer.remove(0, dropBefore)
      }
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') makeRoom(buffer, error)
      else broken(error)
    }
  }

  /** Removes played media, then retries the fragment once: if it still does not fit, it never will. */
  const makeRoom = (full: SourceBuffer, error: DOMException) => {
    const [first] = spansOf(full.buffered)
    const until = video.currentTime - 0.5
    if (queue[0] === refused || !first || first.start >= until) return broken(error)
    refused = queue[0]
    full.remove(0, until)
  }

  source.addEventListener(
    'sourceopen',
    () => {
      if (stopped) return
      try {
        buffer = source.addSourceBuffer(mime)
      } catch (error) {
        return broken(error)
      }
      buffer.addEventListener('updateend', pump)
      buffer.addEventListener('error', () => broken(new Error('the browser refused a fragment')))
      pump()
    },
    { once: true },
  )
  const onVideoError = () => broken(video.error)
  video.addEventListener('error', onVideoError)
  video.addEventListener('waiting', pump)

  function stop() {
    if (stopped) return
    stopped = true
    queue.length = 0
    video.removeEventListener('error', onVideoError)
    video.removeEventListener('waiting', pump)
    buffer?.removeEventListener('updateend', pump)
    detach()
  }

  return {
    append(bytes) {
      if (stopped) return
      queue.push(bytes)
      waiting += bytes.byteLength
      if (waiting > maxWaiting) return broken(new Error('the browser does not keep up'))
      pump()
    },
    stop,
  }
}

/** Attaches a source to a video. @returns a function that detaches it, unless another source has replaced it */
function attach(video: HTMLVideoElement, source: MediaSource): () => void {
  // `ManagedMediaSource` plays only if remote playback of the raw feed is disabled.
  video.disableRemotePlayback = true
  const url = URL.createObjectURL(source)
  video.src = url
  return () => {
    URL.revokeObjectURL(url)
    if (video.src !== url) return
    video.removeAttribute('src')
    video.load()
  }
}

const spansOf = (ranges: TimeRanges): Span[] =>
  Array.from({ length: ranges.length }, (_, at) => ({ start: ranges.start(at), end: ranges.end(at) }))
