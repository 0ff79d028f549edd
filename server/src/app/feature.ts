import type { Route } from '../http/route.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import type { Config } from './config/config.ts'

/** A feature, as far as the service handles all of them in the same way. How it stops is in `lifecycle.ts`. */
export interface Feature {
  readonly routes?: readonly Route[]
  /** What other instances read here. */
  readonly innerRoutes?: readonly InnerRoute[]
  /** Applies the active configuration. Immediate. */
  apply?(config: Config): void
  /**
   * Begins or ends the work for a camera that may have moved to or from this instance.
   *
   * @returns once none of its child processes at the old place is running; `settled` waits for what is saved
   */
  moved?(camera: string): Promise<void> | void
  /** Resolves once everything that was received of a camera is saved. */
  settled?(camera: string): Promise<void>
  /** Begins the work in the background, after the ports have opened, so that requests don't wait for it. */
  start?(): void
}
