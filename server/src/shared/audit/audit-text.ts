import type { AuditEntry } from './audit.ts'

/** Maximum characters stored of each text, because a client can send text of any length. */
const longest = { name: 256, id: 128, address: 64, target: 512, detail: 1_024 }

/** The entry as stored: every text is cut, and valid in both databases. */
export function trimmed({
  action,
  result,
  user,
  auth_method,
  credential,
  address,
  target,
  detail,
  ...others
}: AuditEntry): AuditEntry {
  return {
    action,
    result,
    user: user === null ? null : text(user, longest.name),
    auth_method,
    ...(credential && {
      credential: { id: text(credential.id, longest.id), name: text(credential.name, longest.name) },
    }),
    address: address === null ? null : text(address, longest.address),
    target: target === null ? null : text(target, longest.target),
    ...(detail !== undefined && { detail: text(detail, longest.detail) }),
    ...others,
  }
}

/**
 * Control characters stay, because JSON escapes them wherever the entry is shown. Only NUL, which PostgreSQL cannot
 * store, is replaced by its symbol.
 */
function text(value: string, length: number): string {
  const cut = value.length > length ? `${value.slice(0, length - 1)}…` : value
  return cut.replaceAll('\0', '\u2400').toWellFormed()
}
