import type { Transaction } from 'kysely'
import { trimmed } from '../../shared/audit/audit-text.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { createBus } from '../../shared/bus.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import { auditSequence, unclaimed } from './sequence.ts'
import type { AuditRows, DatedEntry } from '../store.ts'
import type { Tables } from '../tables.ts'

/** Creates all audit rows. */
export interface AuditWriter extends AuditRows {
  /** Publishes the entries that a transaction inserted, once it has committed. */
  committed(within: Transaction<Tables>): void
  /** Reports that a transaction was committed or rolled back. */
  ended(within: Transaction<Tables>): void
}

export function auditWriter(clock: Clock, log: Pick<Log, 'error'>): AuditWriter {
  const inserted = new WeakMap<Transaction<Tables>, AuditEntry[]>()
  const published = createBus<AuditEntry>(log)
  const numbered = createBus<undefined>(log)
  const sequence = auditSequence()

  return {
    start: (instance, within) => sequence.start(instance, within),
    claim: (within) => sequence.claim(within),
    instance: sequence.instance,
    settled: sequence.settled,
    onNumbered: (listener) => numbered.subscribe(listener),
    ended(within) {
      if (sequence.ended(within)) numbered.publish(undefined)
    },
    async insert(entry, within) {
      const kept = trimmed(entry)
      await within
        .insertInto('audit')
        .values({
          ...rowFrom({ ...kept, at: clock.now() }),
          instance: sequence.instance() ?? unclaimed,
          sequence: sequence.next(within),
        })
        .execute()
      inserted.set(within, [...(inserted.get(within) ?? []), kept])
    },
    async write(rows, within) {
      const ids: number[] = []
      for (const { id, at, complete, ...entry } of rows) {
        const row = {
          ...rowFrom({ ...trimmed(entry), at }),
          instance: sequence.instance(),
          sequence: complete ? sequence.next(within) : null,
        }
        if (id === undefined) {
          const added = await within.insertInto('audit').values(row).returning('id').executeTakeFirstOrThrow()
          ids.push(added.id)
        } else {
          await within.updateTable('audit').set(row).where('id', '=', id).execute()
          ids.push(id)
        }
      }
      return ids
    },
    subscribe: (listener) => void published.subscribe(listener),
    committed(within) {
      const entries = inserted.get(within)
      // The caller's own words on the change, such as the first admin's password, come before ours.
      if (entries) setImmediate(() => entries.forEach(published.publish))
    },
  }
}

const rowFrom = (entry: DatedEntry) => {
  const { at, action, result, user, auth_method, address, target, detail, count, duration, start, end } = entry
  const { credential, owner, camera } = entry
  return {
    at,
    action,
    result,
    user,
    user_key: user === null ? null : user.toLowerCase(),
    auth_method,
    credential_id: credential?.id ?? null,
    credential: credential?.name ?? null,
    address,
    target,
    detail: detail ?? null,
    count: count ?? 1,
    duration: duration ?? null,
    start: start ?? null,
    end: end ?? null,
    owner: owner ?? null,
    camera: camera ?? null,
  }
}
