import { backoff } from '../../lib/backoff.ts'
import { sourceOpener } from './media-source.ts'
import { playVideo } from '../muting.ts'
import type { OpenSource, Source } from './open-source.ts'
import { mediaAt } from './recorded-time.ts'
import {
  afterPlayerEvent,
  initialPlayer,
  type AccessLoss,
  type PlayerEffect,
  type PlayerEvent,
  type RecordingState,
} from './recording-state.ts'

/** Where recordings come from. */
export interface RecordingSource {
  /** The playlist of a range, Unix seconds. */
  readonly playlistOf: (from: number, to: number) => URL
  /** Asks the service whether the user lost access; undefined if not, or if the service does not respond. */
  readonly accessLoss: () => Promise<AccessLoss | undefined>
}

export interface RecordingPlayerProps {
  readonly video: HTMLVideoElement
  /** Shows the last frame while the next one is fetched. */
  readonly still: HTMLCanvasElement
  readonly source: RecordingSource
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
  /** Access ended: stops playback, because buffered video would play on. */
  end(reason: AccessLoss): void
  stop(): void
}

/** Plays recordings into a video element until stopped: carries out the effects of recording-state.ts. */
export function createRecordingPlayer(props: RecordingPlayerProps): RecordingPlayer {
  const { video, still, source, sparing, bounds, onState, onTime, onEnd } = props
  const playlist = createPlaylist(video)
  const leave = new AbortController()
  let state = initialPlayer
  let rate = 1
  let retry: ReturnType<typeof setTimeout> | undefined

  const send = (event: PlayerEvent): void => {
    const step = afterPlayerEvent(state, event, bounds())
    state = step.state
    for (const effect of step.effects) carryOut(effect)
  }

  const sourceOf = (turn: number): Source => ({
    ahead: sparing ? 0.1 : 20,
    ready(pieces) {
      send({ kind: 'ready', turn, pieces })
      video.playbackRate = rate
      return (state.turn === turn ? mediaAt(pieces, state.target ?? 0) : undefined) ?? 0
    },
    onAudio: (audio) => send({ kind: 'audio', audio }),
    onProblem: (problem) => send({ kind: 'problem', turn, problem }),
  })
  const open = async (turn: number, { from, to }: { from: number; to: number }) => {
    const isOpen = await playlist.open(source.playlistOf(from, to), sourceOf(turn), () => state.turn === turn)
    send({ kind: isOpen ? 'attached' : 'lost', turn })
  }
  const checkAccess = async (turn: number, status: number) =>
    send({ kind: 'refused', turn, status, loss: await source.accessLoss() })

  const carryOut = (effect: PlayerEffect): void => {
    switch (effect.kind) {
      case 'report':
        return onState(effect.state)
      case 'report-time':
        return onTime(effect.at)
      case 'report-end':
        return onEnd(effect.at)
      case 'close':
        clearTimeout(retry)
        return playlist.close()
      case 'open':
        return void open(effect.turn, effect.range)
      case 'plan-retry':
        retry = setTimeout(() => send({ kind: 'retry' }), backoff(effect.failures, Math.random()))
        return
      case 'keep-still':
        return keepStill(video, still)
      case 'wipe-still':
        return wipe(still)
      case 'unload':
        return unload(video)
      case 'seek':
        video.currentTime = effect.media
        return
      case 'play':
        return playVideo(video)
      case 'pause':
        return video.pause()
      case 'check-access':
        return void checkAccess(effect.turn, effect.status)
      case 'plan-past-end':
        return queueMicrotask(() => send({ kind: 'past-end', turn: effect.turn }))
    }
  }
  listen(video, send, leave.signal)

  return {
    goTo: (at) => send({ kind: 'go', at }),
    setPlaying: (playing) => send({ kind: 'play', playing }),
    setRate(next) {
      rate = next
      try {
        video.playbackRate = rate
      } catch {
        // The browser does not support this rate and keeps the previous one.
      }
    },
    end: (reason) => send({ kind: 'access-lost', reason }),
    stop() {
      send({ kind: 'stopped' })
      leave.abort()
    },
  }
}

/** The playlist that is attached to the video. */
function createPlaylist(video: HTMLVideoElement) {
  let opener: Promise<OpenSource> = sourceOpener()
  let detach: (() => void) | undefined
  return {
    /**
     * @param isCurrent whether the playlist is still the requested one, once the code that plays it was loaded
     * @returns false if that code could not be loaded
     */
    async open(url: URL, source: Source, isCurrent: () => boolean): Promise<boolean> {
      try {
        const openSource = await opener
        if (isCurrent()) detach = openSource(video, url, source)
        return true
      } catch {
        opener = sourceOpener()
        return false
      }
    },
    close() {
      detach?.()
      detach = undefined
    },
  }
}

function listen(video: HTMLVideoElement, send: (event: PlayerEvent) => void, signal: AbortSignal): void {
  const onMoved = () => {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.seeking) return
    send({ kind: 'moved', media: video.currentTime })
  }
  const onWaiting = () => {
    if (!video.ended) send({ kind: 'waiting' })
  }
  for (const name of ['timeupdate', 'seeked', 'loadeddata', 'playing']) {
    video.addEventListener(name, onMoved, { signal })
  }
  for (const name of ['waiting', 'seeking']) video.addEventListener(name, onWaiting, { signal })
  video.addEventListener('ended', () => send({ kind: 'played' }), { signal })
  window.addEventListener('online', () => send({ kind: 'online' }), { signal })
}

/** Copies the current frame, so that seeking shows no black frame. */
function keepStill(video: HTMLVideoElement, still: HTMLCanvasElement): void {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return
  still.width = video.videoWidth
  still.height = video.videoHeight
  still.getContext('2d')?.drawImage(video, 0, 0)
}

function wipe(still: HTMLCanvasElement): void {
  still.width = 0
  still.height = 0
}

/** Some browsers keep the last decoded frame on screen until something else is loaded. */
function unload(video: HTMLVideoElement): void {
  video.removeAttribute('src')
  video.load()
}
