import {
  ErrorDetails,
  ErrorTypes,
  Events,
  Hls,
  type ErrorData,
  type LoaderConfig,
  type LoaderResponse,
} from 'hls.js/light'
import type { OpenSource, SourceProblem } from './open-source.ts'

export const hlsPlays = (): boolean => Hls.isSupported()

/** Seconds of media kept behind the playback position. */
const behind = 20

/** Plays with hls.js, over Media Source Extensions. */
export const openHls: OpenSource = (video, url, { ahead, ready, onAudio, onProblem }) => {
  const hls = new Hls({
    // Our Content-Security-Policy forbids workers from blob: URLs, and fMP4 needs no remuxing.
    enableWorker: false,
    autoStartLoad: false,
    maxBufferLength: ahead,
    maxMaxBufferLength: ahead * 2,
    backBufferLength: behind,
    // A deleted recording does not come back.
    fragLoadPolicy: { default: timeout(3) },
    playlistLoadPolicy: { default: timeout(2) },
    manifestLoadPolicy: { default: timeout(2) },
  })
  let hasRecovered = false

  hls.on(Events.LEVEL_LOADED, (_event, { details }) => {
    const pieces = details.fragments.map(({ start, duration, programDateTime }) => ({
      media: start,
      wall: (programDateTime ?? 0) / 1000,
      seconds: duration,
    }))
    hls.startLoad(ready(pieces))
  })
  hls.on(Events.BUFFER_CODECS, (_event, { audio }) => onAudio(audio !== undefined))
  hls.on(Events.ERROR, (_event, error) => {
    const problem = problemOf(error)
    if (!problem) return
    if (problem.kind === 'broken' && !hasRecovered) {
      hasRecovered = true
      hls.recoverMediaError()
    } else onProblem(problem)
  })
  hls.attachMedia(video)
  hls.loadSource(url.href)
  return () => hls.destroy()
}

const timeout = (tries: number): LoaderConfig => ({
  maxTimeToFirstByteMs: 10_000,
  maxLoadTimeMs: 30_000,
  timeoutRetry: { maxNumRetry: tries, retryDelayMs: 0, maxRetryDelayMs: 0 },
  errorRetry: {
    maxNumRetry: tries,
    retryDelayMs: 500,
    maxRetryDelayMs: 4000,
    // Only failures that may be temporary are retried.
    shouldRetry: (_policy: unknown, count: number, _timeout: boolean, response: LoaderResponse | undefined) =>
      count < tries && (!response?.code || response.code >= 500),
  },
})

const codecProblems: ReadonlySet<ErrorDetails> = new Set([
  ErrorDetails.BUFFER_ADD_CODEC_ERROR,
  ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR,
  ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR,
])

/** undefined: the error does not stop playback. */
function problemOf({ type, details, fatal, response }: ErrorData): SourceProblem | undefined {
  if (type === ErrorTypes.NETWORK_ERROR) {
    const status = response?.code ?? 0
    return fatal || (status >= 400 && status < 500) ? { kind: 'refused', status } : undefined
  }
  if (!fatal) return undefined
  return { kind: codecProblems.has(details) ? 'unsupported' : 'broken' }
}
