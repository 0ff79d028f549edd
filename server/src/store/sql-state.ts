import { systemCodeOf } from '../shared/caught-error.ts'

/**
 * SQLSTATE classes for errors of the statement, not of the database: the statement can never succeed.
 * 21 cardinality, 22 data, 23 constraints, 25 transaction state, 42 syntax.
 */
const ownFault = /^(?:0[A-LZ]|2[0-7BDF]|3[48BD]|42|44)/
const readOnly = '25006'
/** The database is read-only (a standby), was emptied or doesn't exist anymore. */
const outageAfterAll = new Set([readOnly, '25P03', '42P01', '3D000', '3F000'])

/** Whether an error is anything but an error of the statement itself. */
export function isPostgresOutage(error: unknown): boolean {
  const code = sqlState(error)
  if (code === undefined) return !(error instanceof TypeError)
  return outageAfterAll.has(code) || !ownFault.test(code)
}

/** Whether the transaction could only read. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === readOnly

/** Whether the database's role lacks a privilege. */
export const isPrivilegeMissing = (error: unknown): boolean => sqlState(error) === '42501'

export function sqlState(error: unknown): string | undefined {
  const code = systemCodeOf(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
