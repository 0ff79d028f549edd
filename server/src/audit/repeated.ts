import { addressKey } from '../shared/http/address-key.ts'
import { anyAddress, type AuditEntry } from '../shared/audit/audit.ts'
import { createBudget } from '../shared/rate/budget.ts'
import { createBudgets } from '../shared/rate/budgets.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { Log } from '../shared/log.ts'
import { actorKey, userKey } from './actor-key.ts'
import type { OpenRow, RowWriter } from './row-writer.ts'
import { withoutTarget } from './uses.ts'
import { hour } from '../shared/time/durations.ts'

/** Milliseconds for which an entry counts what is like it. */
const window = { usual: 60_000, whenMany: hour }

/**
 * Entries that can begin together, and the milliseconds after which another one can: of all callers without an identity
 * together, by action, and of one user. A flood so makes some 1,600 rows of requests a day and some 3,500 of logins.
 */
const budgets = {
  request: { max: 120, every: 60_000 },
  login: { max: 600, every: 30_000 },
  user: { max: 60, every: 60_000 },
} as const

/** Users whose budgets are kept. */
const users = 1_000

export interface RepeatedDeps {
  readonly writer: Pick<RowWriter, 'open'>
  readonly clock: Clock
  /** `service.audit`. */
  readonly log: Log
}

/** Entries that anyone can cause as often as they like: refusals and failed attempts (AUD-2). */
export interface Repeated {
  /**
   * Counted in one entry a minute with those of the same address (IPv6: /64), user, action and detail, and, where there
   * is a user, of the same `like`. The log has it immediately, and again with the count when the minute is over.
   */
  add(entry: AuditEntry, like: string): void
  /** Ends the entries whose time is over. */
  sweep(): void
  /** Ends them all. */
  stop(): void
}

interface Group {
  readonly row: OpenRow
  readonly until: number
  count: number
}

export function createRepeated({ writer, clock, log }: RepeatedDeps): Repeated {
  const groups = new Map<string, Group>()
  const shared = { request: createBudget(budgets.request, clock), login: createBudget(budgets.login, clock) }
  const ofUsers = createBudgets({ ...budgets.user, keys: users }, clock)

  const canBegin = (entry: AuditEntry): boolean => {
    const { user, action } = entry
    // A failed login has a name, and no identity.
    if (action === 'login') return shared.login.take()
    return user === null ? shared.request.take() : ofUsers.take(userKey(entry))
  }

  const begin = (key: string, entry: AuditEntry, length: number) => {
    log.info({ ...entry }, 'audit')
    groups.set(key, { row: writer.open({ ...entry, count: 1 }), until: clock.elapsed() + length, count: 1 })
  }
  const countIn = (group: Group, { address }: AuditEntry) => {
    group.count += 1
    const known = group.row.entry.address
    const other = address !== known && address !== null && known !== null && known !== anyAddress
    group.row.change({ count: group.count, ...(other && { address: addressKey(address) }) })
  }
  const end = (key: string, { row, count }: Group) => {
    groups.delete(key)
    row.end()
    if (count > 1) log.info({ ...row.entry }, 'audit: repeated')
  }
  const current = (key: string): Group | undefined => {
    const group = groups.get(key)
    if (!group || group.until > clock.elapsed()) return group
    end(key, group)
    return undefined
  }

  return {
    add(entry, like) {
      const { action, result, user, address, detail = '' } = entry
      const who = user === null ? '' : actorKey(entry)
      const what = [action, result, detail].join('\n')
      // What a caller without an identity asks for can be made up without end.
      const subject = user === null && action === 'request.denied' ? '' : like
      const key = [who, subject, address === null ? '' : addressKey(address), what].join('\n')
      const group = current(key)
      if (group) return countIn(group, entry)
      // The service itself makes no flood.
      if (address === null || canBegin(entry)) return begin(key, entry, window.usual)
      const manyKey = [action === 'login' ? '' : who, 'many', what].join('\n')
      const many = current(manyKey)
      if (many) return countIn(many, entry)
      const anyUser = user === null || action === 'login'
      begin(
        manyKey,
        { ...withoutTarget(entry), ...(anyUser && { user: null, auth_method: null, address: anyAddress }) },
        window.whenMany,
      )
    },
    sweep() {
      for (const key of groups.keys()) current(key)
    },
    stop() {
      for (const [key, group] of groups) end(key, group)
    },
  }
}
