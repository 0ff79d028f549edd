import { useState, type SyntheticEvent } from 'react'
import { ApiError } from '../api/api.ts'
import { fileProblem, type FileProblem } from './file-problem.ts'

/** Requests the file without its content. @throws ApiError if the service refuses it or doesn't respond */
export type RequestFile = (signal: AbortSignal) => Promise<unknown>

/** Milliseconds until a service that doesn't respond counts as unreachable. */
const timeout = 10_000

/** A file in a video element, and why it doesn't play. */
export function useVideoFile(url: string, request: RequestFile) {
  const [problem, setProblem] = useState<FileProblem>()
  /** Seconds from which it's played again; undefined until it failed. */
  const [from, setFrom] = useState<number>()

  const onError = async ({ currentTarget: { error, currentTime } }: SyntheticEvent<HTMLVideoElement>) => {
    const isInterrupted = error?.code === MediaError.MEDIA_ERR_NETWORK
    const status = await statusOf(request)
    // The position is 0 if not even the first frame was loaded.
    setFrom((last = 0) => currentTime || last)
    setProblem(fileProblem(status, isInterrupted))
  }
  return {
    problem,
    /** Plays again from where playback failed. */
    again: () => setProblem(undefined),
    /** Properties of the video element, which is shown unless there's a problem. */
    video: {
      src: from ? `${url}#t=${from}` : url,
      // The button that was pressed to try again is no longer there.
      ref: from === undefined ? undefined : focus,
      onError: (event: SyntheticEvent<HTMLVideoElement>) => void onError(event),
    },
  }
}

const focus = (video: HTMLVideoElement | null) => video?.focus()

/** @returns the HTTP status; 0 if the service didn't respond */
async function statusOf(request: RequestFile): Promise<number> {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), timeout)
  try {
    await request(waiting.signal)
    return 200
  } catch (error) {
    return error instanceof ApiError ? error.failure.status : 0
  } finally {
    clearTimeout(timer)
  }
}
