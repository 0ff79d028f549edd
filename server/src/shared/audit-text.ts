import type { AuditEntry } from './audit.ts'

/** Characters kept of each text: what comes from outside may be as long as it likes. */
const longest = { name: 256, address: 64, target: 512, detail: 1_024 }

/** The entry as it is kept: every text cut, and such as any database can hold. */
export function trimmed({ action, result, user, source, address, target, detail, ...numbers }: AuditEntry): AuditEntry {
  return {
    action,
    result,
    user: user === null ? null : text(user, longest.name),
    source,
    address: address === null ? null : text(address, longest.address),
    target: target === null ? null : text(target, longest.target),
    ...(detail !== undefined && { detail: text(detail, longest.detail) }),
    ...numbers,
  }
}

/**
 * Control characters stay what they are, for JSON escapes them wherever the entry is shown. Only NUL, which PostgreSQL
 * cannot hold, is replaced, by its picture.
 */
function text(value: string, length: number): string {
  const cut = value.length > length ? `${value.slice(0, length - 1)}…` : value
  return cut.replaceAll('\0', '\u2400').toWellFormed()
}
