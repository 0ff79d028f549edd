import type { StreamProblem } from './reason.ts'
import type { AudioMode } from './audio.ts'

/**
 * An output that the one child of a camera makes of its stream: the live view, a recording.
 *
 * The child is started with the arguments of every output, so the source is read once.
 */
export interface Output {
  /**
   * ffmpeg's arguments for the output.
   *
   * @param pipe where the child writes the input of {@link Sink.write}.
   * @param audio the audio mode that works for the source, for {@link audioCodecArgs}.
   */
  args(pipe: string, audio: AudioMode): readonly string[]
  /** Called when a child has started; its output goes to this sink. */
  open(): Sink
}

export interface Sink {
  /** Throws if the data is unreadable; the child is then ended. */
  write(chunk: Buffer): void
  /** Called when the child has exited. */
  end(): void
}

/** The audio is unusable in the current mode; the video may be fine. */
export class AudioError extends Error {
  override readonly name = 'AudioError'
}

/** The stream is unusable, with a reason for the user. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  readonly problem: StreamProblem

  constructor(problem: StreamProblem) {
    super(problem.message)
    this.problem = problem
  }
}
