import type { Log } from '../src/shared/log.ts'

/** Where a test does not look at what is logged. */
export const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  enabled: () => false,
}
