import type { Log } from '../shared/log.ts'

/** Failures are reported by the command itself. */
export const noLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  enabled: () => false,
}
