import type { Kysely, Transaction } from 'kysely'
import { trimmed } from '../shared/audit-text.ts'
import type { AuditEntry } from '../shared/audit.ts'
import { createBus } from '../shared/bus.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { AuditRows, DatedEntry } from './store.ts'
import type { Tables } from './tables.ts'

/** The one place where audit rows are made. */
export interface AuditWriter extends AuditRows {
  /** Publishes the entries that a transaction inserted, once it has committed. */
  committed(within: Transaction<Tables>): void
}

export function auditWriter(db: Kysely<Tables>, clock: Clock, log: Pick<Log, 'error'>): AuditWriter {
  const inserted = new WeakMap<Transaction<Tables>, AuditEntry[]>()
  const published = createBus<AuditEntry>(log)

  return {
    async insert(entry, within) {
      const kept = trimmed(entry)
      await within
        .insertInto('audit')
        .values(rowFrom({ ...kept, at: clock.now() }))
        .execute()
      inserted.set(within, [...(inserted.get(within) ?? []), kept])
    },
    async add(entries) {
      if (entries.length === 0) return
      await db
        .insertInto('audit')
        .values(entries.map((entry) => rowFrom({ ...trimmed(entry), at: entry.at })))
        .execute()
    },
    subscribe: (listener) => void published.subscribe(listener),
    committed(within) {
      const entries = inserted.get(within)
      // The caller's own words on the change, such as the first admin's password, come before ours.
      if (entries) setImmediate(() => entries.forEach(published.publish))
    },
  }
}

const rowFrom = ({ at, action, result, user, source, address, target, detail }: DatedEntry) => ({
  at,
  action,
  result,
  user,
  user_key: user === null ? null : user.toLowerCase(),
  source,
  address,
  target,
  detail: detail ?? null,
})
