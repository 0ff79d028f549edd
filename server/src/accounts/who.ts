import type { Identity } from '../access/identity.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { Client } from '../shared/knock.ts'

/** Who an audit entry is about. */
export const who = (identity: Identity, { address }: Client): Pick<AuditEntry, 'user' | 'source' | 'address'> =>
  identity.kind === 'known'
    ? { user: identity.name, source: identity.source, address }
    : { user: null, source: null, address }
