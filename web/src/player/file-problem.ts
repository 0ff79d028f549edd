/**
 * Why a video file doesn't play. `gone`: it was deleted, or can't be seen anymore. `lost`: the connection failed, so it
 * can be tried again. `unsupported`: the browser can't play this kind of video.
 */
export type FileProblem = 'gone' | 'lost' | 'unsupported'

/**
 * A video element doesn't say why it failed.
 *
 * @param status how the service responds to a request for the file then; 0 if it doesn't
 * @param interrupted the element lost its connection after it had begun to play
 */
export function fileProblem(status: number, interrupted: boolean): FileProblem {
  if (status === 0 || status === 429 || status >= 500) return 'lost'
  if (status >= 400) return 'gone'
  return interrupted ? 'lost' : 'unsupported'
}
