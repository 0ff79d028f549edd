import type { Audit } from '../../src/shared/audit/audit.ts'

/** An audit log that keeps nothing. */
export const unaudited: Audit = {
  record() {},
  use: () => () => undefined,
  commit: () => Promise.resolve(),
  ready: () => Promise.resolve(),
}
