import type { Reply } from './test-client.ts'

/** A change that a client requests, and what it means for the {@link Model}. */
export interface Change {
  /** As in the audit log: the action and its object. Only one change with the same text is requested at a time. */
  readonly entry: string
  /** The role that a user gets or that is deleted. */
  readonly role?: string
  /** Applies the change to the model; without a reply if the service was killed before it responded. */
  apply(reply?: Reply): void
  /** Whether the role was being deleted while a user got it: then the user may have been moved to `viewer`. */
  overlapsDeletion?: boolean
}

export interface ModelSession {
  isAlive: boolean
}

export interface ModelUser {
  password: string
  /** Several if a role was deleted while the user got it. */
  roles: ReadonlySet<string>
  readonly sessions: ModelSession[]
}

/** A token, of any user that ever had the name. */
export interface ModelToken {
  readonly name: string
  readonly token: string
  readonly session: ModelSession
}

/** What must be true, according to the changes that the service acknowledged. */
export class Model {
  readonly users = new Map<string, ModelUser>()
  /** Cameras of the custom roles. */
  readonly roles = new Map<string, readonly string[]>()
  tokens: ModelToken[] = []
  readonly exports = new Set<string>()
  /** Exports and recordings whose deletion was requested: they may be there. */
  readonly deletedExports = new Set<string>()
  /** Exports that a killed deletion left in the list: their files may be deleted. */
  readonly halfDeletedExports = new Set<string>()
  /** Unix seconds before which recordings of `door` may have been deleted. */
  recordingsDeletedBefore = 0

  /** Changes since the last start: requested ones whose result is unknown, and the number of acknowledged ones. */
  readonly pending = new Set<Change>()
  readonly acknowledged = new Map<string, number>()
  /** Responses that no fault explains. */
  readonly unexpected: string[] = []
  private deleting: string | undefined

  /** Begins a sequence of changes in a running service. */
  restarted(): void {
    this.pending.clear()
    this.acknowledged.clear()
    this.deleting = undefined
  }

  /** Requests a change. @returns its response; undefined if the service was killed before it responded. */
  async request(change: Change, send: () => Promise<Reply>, isKilled: () => boolean): Promise<Reply | undefined> {
    this.begin(change)
    let reply: Reply
    try {
      reply = await send()
    } catch (error) {
      if (!isKilled()) this.unexpected.push(`${change.entry}: ${String(error)}`)
      return undefined
    }
    this.pending.delete(change)
    if (reply.status < 300) {
      this.acknowledged.set(change.entry, (this.acknowledged.get(change.entry) ?? 0) + 1)
      change.apply(reply)
    } else if (reply.status >= 500 || reply.status === 429) {
      this.unexpected.push(`${change.entry}: ${reply.status} ${reply.text}`)
    }
    if (change.entry === `role.delete ${this.deleting}`) this.deleting = undefined
    return reply
  }

  private begin(change: Change): void {
    this.pending.add(change)
    if (change.entry.startsWith('role.delete ')) {
      this.deleting = change.role
      for (const each of this.pending) if (each !== change && each.role === this.deleting) each.overlapsDeletion = true
    } else if (change.role !== undefined && change.role === this.deleting) change.overlapsDeletion = true
  }

  /**
   * Applies the changes without a response that were made nevertheless.
   *
   * @param entries number of entries in the audit log since the start
   * @returns the entries that don't fit the acknowledged changes
   */
  settle(entries: ReadonlyMap<string, number>): string[] {
    const wrong: string[] = []
    const done: Change[] = []
    for (const entry of new Set([...this.acknowledged.keys(), ...[...this.pending].map((each) => each.entry)])) {
      const [found, expected] = [entries.get(entry) ?? 0, this.acknowledged.get(entry) ?? 0]
      const pending = [...this.pending].filter((change) => change.entry === entry)
      if (found < expected || found > expected + pending.length)
        wrong.push(`${entry}: ${found} entries, ${expected} acknowledged, ${pending.length} without a response`)
      if (found > expected) done.push(...pending)
    }
    // A deletion moves the users who have the role by then.
    for (const change of done.filter(({ entry }) => !entry.startsWith('role.delete '))) change.apply()
    for (const change of done.filter(({ entry }) => entry.startsWith('role.delete '))) change.apply()
    return wrong
  }

  /** Roles of a user after a change to `role`. */
  rolesAfter({ role, overlapsDeletion }: Change): ReadonlySet<string> {
    return new Set([role ?? 'viewer', ...(overlapsDeletion === true ? ['viewer'] : [])])
  }

  deleteRole(role: string): void {
    this.roles.delete(role)
    for (const user of this.users.values()) {
      if (user.roles.has(role)) user.roles = new Set([...user.roles, 'viewer'].filter((each) => each !== role))
    }
  }

  revoke(name: string): void {
    for (const session of this.users.get(name)?.sessions ?? []) session.isAlive = false
  }

  addToken(name: string, session: ModelSession, reply: Reply | undefined): void {
    const token = /^[^=]+=([^;]+)/.exec(reply?.cookies[0] ?? '')?.[1]
    if (token !== undefined) this.tokens.push({ name, token, session })
  }

  newSession(name: string): ModelSession {
    const session = { isAlive: true }
    this.users.get(name)?.sessions.push(session)
    return session
  }
}
