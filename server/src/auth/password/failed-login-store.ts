import type { RateLimit } from '../../shared/rate/rate-limit.ts'

/** Attempts of an address that leave no place for another one. Times are milliseconds of one clock. */
export interface FullCount {
  /** Oldest first. */
  readonly failures: readonly number[]
  /** Number of attempts that are being checked now. */
  readonly checking: number
  readonly now: number
}

/** Failed logins by address, counted over all instances that share a database (NODE-4). */
export interface FailedLoginStore {
  /**
   * Reserves a place for an attempt, which counts like a failure until it is settled.
   *
   * @param limits at least one
   * @returns the reserved place, or what is in the way
   * @throws ServiceError `unavailable`
   */
  reserve(address: string, limits: readonly RateLimit[]): Promise<number | FullCount>
  /** Turns a reserved place into a failure, or gives it back. @throws ServiceError `unavailable` */
  settle(address: string, place: number, failed: boolean): Promise<void>
  /** Deletes what counts no longer, and the oldest if there are too many addresses. */
  clean(): Promise<void>
}
