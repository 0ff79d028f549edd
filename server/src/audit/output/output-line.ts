import type { AuditEntry } from '../../shared/audit/audit.ts'
import { csvLine } from '../../shared/with-web/csv.ts'
import type { AuditLine } from '../audit-line.ts'
import { timestampOf } from '../../shared/http/timestamp.ts'

/** An entry as outputs write it, or a line that says how many are missing. */
export type OutputLine = Omit<AuditLine, 'id' | 'result'> & {
  /** Null for a line that says how many entries are missing: it isn't in the audit log. */
  readonly id: number | null
  readonly result: AuditEntry['result']
}

/** Says in an output how many entries it doesn't have. @param at Unix milliseconds */
export const gapLine = (count: number, at: number): OutputLine => ({
  id: null,
  at: timestampOf(at),
  action: 'output.gap',
  result: 'failure',
  user: null,
  auth_method: null,
  address: null,
  target: null,
  detail: `${count} entries not written`,
  count,
})

/** One line of JSON. Characters that a terminal interprets are escaped, too. */
export const jsonOf = (line: OutputLine): string =>
  JSON.stringify(line).replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Column names of CSV, with the line break. */
export const csvHeader = csvLine([
  'id',
  'at',
  'action',
  'result',
  'user',
  'auth_method',
  'credential_id',
  'credential_name',
  'address',
  'target',
  'detail',
  'count',
  'duration',
  'start',
  'end',
])

/** One line of CSV, with its line break: control characters in a field are escaped as in JSON. */
export function csvOf({ credential, count = 1, ...line }: OutputLine): string {
  const { id, at, action, result, user, auth_method, address, target, detail, duration, start, end } = line
  const actor = [user, auth_method, credential?.id, credential?.name, address]
  const fields = [id, at, action, result, ...actor, target, detail, count, duration, start, end]
  return csvLine(fields.map((field) => oneLine(String(field ?? ''))))
}

const oneLine = (field: string): string =>
  field.replaceAll(/[\0-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
