import type { Fragment, InitSegment } from './fmp4.ts'

/** Takes a stream along as it comes, in the service's own hands, as a recording does. It never throws. */
export interface StreamConsumer {
  /** A stream begins, or goes on with other parameters. */
  begin(init: InitSegment): void
  /** @param now Unix milliseconds at which it came */
  fragment(fragment: Fragment, now: number): void
  /** Nothing more comes until it begins again. */
  end(): void
}
