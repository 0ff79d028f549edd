import type { Fragment } from './mp4/fragment.ts'
import type { InitSegment } from './mp4/init-segment.ts'

/** Receives a stream inside the service, for example to record it. Never throws. */
export interface StreamConsumer {
  /** A stream begins, or continues with other parameters. */
  begin(init: InitSegment): void
  /** @param now arrival time, Unix milliseconds */
  fragment(fragment: Fragment, now: number): void
  /** The stream has ended, until it begins again. */
  end(): void
}
