import type { Log } from '../../src/shared/log.ts'

/** A log for tests that ignore log output. */
export const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  enabled: () => false,
}
