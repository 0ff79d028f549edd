import { cameraPath } from '../cameras/queries.ts'
import { backoff } from '../lib/backoff.ts'
import { urlOf } from '../lib/base.ts'
import { sourceOpener } from './media-source.ts'
import type { OpenSource, SourceProblem } from './open-source.ts'
import { accessLoss, type AccessLoss } from './access-loss.ts'
import { mediaAt, wallAt, type Piece } from './recorded-time.ts'

/** The state of a recording, as shown to the viewer. Times are Unix seconds. */
export type RecordingState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'shown'; readonly sound: boolean }
  /** Nothing was recorded at or soon after this time. */
  | { readonly kind: 'nothing' }
  /** Everything up to the next long gap has been played; the last frame stays visible. */
  | { readonly kind: 'played' }
  /** The recording was deleted after its playlist was fetched. */
  | { readonly kind: 'gone' }
  /** No connection; the player is retrying. */
  | { readonly kind: 'lost' }
  /** The browser cannot play this kind of video. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'ended'; readonly why: AccessLoss }

export interface RecordingPlayerProps {
  readonly video: HTMLVideoElement
  /** Shows the last frame while the next one is fetched. */
  readonly still: HTMLCanvasElement
  readonly camera: string
  /** Fetches only the requested frame. */
  readonly sparing: boolean
  /** Playback stays within these times. */
  readonly bounds: () => { readonly from: number; readonly to: number }
  readonly onState: (state: RecordingState) => void
  readonly onTime: (at: number) => void
  /** Nothing to play from here on, for at least half an hour or up to the bound. */
  readonly onEnd: (at: number) => void
}

export interface RecordingPlayer {
  /** Seeks to a time, or to the next recorded one. */
  goTo(at: number): void
  setPlaying(playing: boolean): void
  setRate(rate: number): void
  /** Access to the camera ended: stops playback, because buffered video would play on. */
  end(why: AccessLoss): void
  /** The current playback time, Unix seconds. */
  at(): number | undefined
  stop(): void
}

/** Seconds of one playlist before and after the requested time: a whole day would be a megabyte. */
const before = 300
const after = 1800
/** Seconds by which the end of a segment may be inaccurate. */
const rounding = 0.05

/** Plays one camera's recordings into a video element until stopped, across gaps and playlists. */
export function createRecordingPlayer(props: RecordingPlayerProps): RecordingPlayer {
  const { video, still, camera, sparing, bounds, onState, onTime, onEnd } = props
  let opener = sourceOpener()
  let close: (() => void) | undefined
  let pieces: readonly Piece[] = []
  /** The range requested for the current playlist. */
  let playlistRange = { from: 0, to: 0 }
  let target: number | undefined
  /** The playlist follows the previous one; the user did not seek. */
  let onward = false
  let playing = false
  let rate = 1
  let sound = false
  let state: RecordingState = { kind: 'waiting' }
  let over = false
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  /** Incremented for each playlist that is opened, so that late results of an earlier one are ignored. */
  let turn = 0

  const notify = (next: RecordingState) => {
    const same = next.kind === state.kind && next.kind !== 'shown'
    const sameSound = next.kind === 'shown' && state.kind === 'shown' && next.sound === state.sound
    state = next
    if (!same && !sameSound) onState(next)
  }

  const empty = () => {
    clearTimeout(retry)
    turn += 1
    close?.()
    close = undefined
    pieces = []
  }
  const wipe = () => {
    still.width = 0
    still.height = 0
  }
  const finish = (next: RecordingState) => {
    empty()
    if (next.kind === 'ended') {
      over = true
      wipe()
      // Some browsers keep the last decoded frame on screen until something else is loaded.
      video.removeAttribute('src')
      video.load()
    }
    notify(next)
  }

  /** Copies the current frame, so that seeking shows no black frame. */
  const keepStill = () => {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return
    still.width = video.videoWidth
    still.height = video.videoHeight
    still.getContext('2d')?.drawImage(video, 0, 0)
  }

  const open = (at: number, next = false) => {
    keepStill()
    empty()
    const mine = turn
    const { from, to } = bounds()
    target = at
    onward = next
    playlistRange = { from: Math.max(from, next ? at : at - before), to: Math.min(to, at + after) }
    if (playlistRange.to <= playlistRange.from) return atEnd(at)
    notify({ kind: 'waiting' })
    const url = urlOf(`${cameraPath(camera)}/playback/${playlistRange.from}/${playlistRange.to}/index.m3u8`)
    void openWith(url, mine)
  }

  const openWith = async (url: URL, mine: number) => {
    try {
      const openSource = await opener
      if (turn === mine) close = openInto(openSource, url, mine)
    } catch {
      // The code of the source could not be loaded.
      opener = sourceOpener()
      if (turn === mine) lost()
    }
  }

  const openInto = (openSource: OpenSource, url: URL, mine: number) =>
    openSource(video, url, {
      ahead: sparing ? 0.1 : 20,
      ready(found) {
        if (turn !== mine) return 0
        pieces = found
        failures = 0
        const media = mediaAt(pieces, target ?? 0)
        if (media === undefined) {
          // All of the playlist lies before the requested time.
          queueMicrotask(() => turn === mine && atEnd(target ?? 0))
          return 0
        }
        video.playbackRate = rate
        if (playing) play()
        return media
      },
      onSound(has) {
        sound = has
        if (state.kind === 'shown') notify({ kind: 'shown', sound })
      },
      onProblem(problem) {
        if (turn === mine) void failed(problem, mine)
      },
    })

  const failed = async (problem: SourceProblem, mine: number) => {
    if (problem.kind !== 'refused') return finish(problem)
    const { status } = problem
    if (status === 401 || status === 403 || status === 404) {
      const end = await accessLoss(camera)
      if (turn !== mine) return
      if (end) return finish({ kind: 'ended', why: end })
      if (status === 404) return pieces.length > 0 ? finish({ kind: 'gone' }) : atEnd(target ?? 0)
    }
    lost()
  }
  const lost = () => {
    empty()
    notify({ kind: 'lost' })
    retry = setTimeout(() => open(target ?? 0, onward), backoff(failures++, Math.random()))
  }

  const atEnd = (at: number) => {
    empty()
    if (!onward) wipe()
    notify({ kind: onward ? 'played' : 'nothing' })
    onEnd(at)
  }

  const play = () => {
    video.play().catch((error: unknown) => {
      // If the source was replaced in the meantime, the new one plays. If audio needs a user gesture, play muted.
      if (video.muted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      video.muted = true
      video.play().catch(() => {})
    })
  }

  const moved = () => {
    if (pieces.length === 0 || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.seeking) return
    const at = wallAt(pieces, video.currentTime)
    if (at === undefined) return
    const { to } = bounds()
    target = at
    if (state.kind !== 'shown') wipe()
    notify({ kind: 'shown', sound })
    onTime(Math.min(at, to))
    if (at >= to - rounding && playing) {
      video.pause()
      onEnd(to)
    }
  }
  const waits = () => {
    if (close && state.kind === 'shown' && !video.ended) notify({ kind: 'waiting' })
  }
  const ended = () => {
    const last = pieces.at(-1)
    if (last) open(last.wall + last.seconds + rounding, true)
  }
  const leave = new AbortController()
  const { signal } = leave
  for (const name of ['timeupdate', 'seeked', 'loadeddata', 'playing']) video.addEventListener(name, moved, { signal })
  for (const name of ['waiting', 'seeking']) video.addEventListener(name, waits, { signal })
  video.addEventListener('ended', ended, { signal })
  window.addEventListener('online', () => state.kind === 'lost' && open(target ?? 0, onward), { signal })

  return {
    goTo(at) {
      if (over) return
      const media = at >= playlistRange.from && at < playlistRange.to ? mediaAt(pieces, at) : undefined
      target = at
      if (close === undefined || media === undefined) return open(at)
      video.currentTime = media
      if (playing) play()
    },
    setPlaying(next) {
      playing = next
      if (over) return
      if (!playing) video.pause()
      else if (close) play()
    },
    setRate(next) {
      rate = next
      try {
        video.playbackRate = rate
      } catch {
        // The browser does not support this rate and keeps the previous one.
      }
    },
    end(why) {
      if (!over) finish({ kind: 'ended', why })
    },
    at: () => (state.kind === 'shown' ? wallAt(pieces, video.currentTime) : target),
    stop() {
      empty()
      over = true
      leave.abort()
    },
  }
}
