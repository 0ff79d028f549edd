import type { StreamProblem } from './reason.ts'
import type { SoundMode } from './audio.ts'

/**
 * Something that is made of a camera's stream by the one child that reads it: the live picture, a recording.
 *
 * The child is started with the arguments of every output, so the source is read once.
 */
export interface Output {
  /**
   * ffmpeg's arguments for it, to the end.
   *
   * @param pipe where the child writes what goes to {@link Sink.write}.
   * @param sound what is known to work with the source's sound, for {@link soundArgs}.
   */
  args(pipe: string, sound: SoundMode): readonly string[]
  /** A child began; what it writes comes to this sink. */
  open(): Sink
}

export interface Sink {
  /** Throws where it cannot be read; then the child is ended. */
  write(chunk: Buffer): void
  /** The child is gone; nothing more comes. */
  end(): void
}

/** The sound is no use as it was asked for; the picture may well be. */
export class SoundRefusal extends Error {
  override readonly name = 'SoundRefusal'
}

/** What came is no use, for a reason that people may read. */
export class StreamError extends Error {
  override readonly name = 'Refusal'
  readonly problem: StreamProblem

  constructor(problem: StreamProblem) {
    super(problem.message)
    this.problem = problem
  }
}
