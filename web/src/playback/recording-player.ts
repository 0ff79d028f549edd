import { cameraPath } from '../live/cameras.ts'
import { backoff } from '../live/live-edge.ts'
import { urlOf } from '../shared/base.ts'
import { sourceOpener } from './media-source.ts'
import type { OpenSource, SourceProblem } from './open-source.ts'
import { endOfSight, type EndOfSight } from './end-of-sight.ts'
import { mediaAt, wallAt, type Piece } from './recorded-time.ts'

/** What a viewer may be told of a recording. Moments are Unix seconds. */
export type RecordingState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'shown'; readonly sound: boolean }
  /** Nothing was recorded there, nor soon after it. */
  | { readonly kind: 'nothing' }
  /** All that follows without a long gap has been played; its last picture stays. */
  | { readonly kind: 'played' }
  /** It was there, and was cleared away meanwhile. */
  | { readonly kind: 'gone' }
  /** No connection; it is being tried again. */
  | { readonly kind: 'lost' }
  /** The browser cannot play this kind of video. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'ended'; readonly why: EndOfSight }

export interface RecordingPlayerProps {
  readonly video: HTMLVideoElement
  /** Holds the last picture while the next one is fetched. */
  readonly still: HTMLCanvasElement
  readonly camera: string
  /** Fetches no more than the picture that is wanted. */
  readonly sparing: boolean
  /** Plays nothing before and nothing after. */
  readonly bounds: () => { readonly from: number; readonly to: number }
  readonly onState: (state: RecordingState) => void
  readonly onTime: (at: number) => void
  /** There is nothing to play from here on, for half an hour at least or up to the bound. */
  readonly onEnd: (at: number) => void
}

export interface RecordingPlayer {
  /** To a moment, or to the next one that was recorded. */
  goTo(at: number): void
  setPlaying(playing: boolean): void
  setRate(rate: number): void
  /** The camera may be seen no longer: what the browser has of it would play on. */
  end(why: EndOfSight): void
  /** The moment that is seen. */
  at(): number | undefined
  stop(): void
}

/** Seconds of one playlist, before and after the moment that is wanted: a day in one would be a megabyte. */
const before = 300
const after = 1800
/** Seconds that the end of a segment may be off. */
const rounding = 0.05

/** Plays one camera's recordings into a video element, until stopped, across gaps and from one playlist to the next. */
export function createRecordingPlayer(props: RecordingPlayerProps): RecordingPlayer {
  const { video, still, camera, sparing, bounds, onState, onTime, onEnd } = props
  let opener = sourceOpener()
  let close: (() => void) | undefined
  let pieces: readonly Piece[] = []
  /** What the playlist was asked for. */
  let playlistRange = { from: 0, to: 0 }
  let target: number | undefined
  /** One playlist follows another, and nobody chose to go there. */
  let onward = false
  let playing = false
  let rate = 1
  let sound = false
  let state: RecordingState = { kind: 'waiting' }
  let over = false
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  /** Counts what was opened, so that what comes late is known for late. */
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
      // What was decoded stays on the screen of some browsers until something else is.
      video.removeAttribute('src')
      video.load()
    }
    notify(next)
  }

  /** Keeps what is seen, so that the way to the next picture is not black. */
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
      // Its code could not be fetched.
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
          // All of it lies before.
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
      const end = await endOfSight(camera)
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
      // Where the source is replaced meanwhile, the next one plays. Where sound wants a touch first: without it.
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
        // Faster than this browser plays: it goes on as it did.
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
