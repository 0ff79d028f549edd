import { Type } from 'typebox'
import { allowedBy } from '../../config/constraint.ts'
import { describeAllowed, wrongText } from '../../config/schema/describe-constraint.ts'
import { nullableKey, section, table, type ConfigOf } from '../../config/key.ts'
import { configProblem, type EngineProblems } from '../../config/problem-codes.ts'
import { shownText, type SectionReport } from '../../config/problem-collector.ts'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'
import { facilities } from './syslog-message.ts'
import { parseSyslogAddress } from './syslog-address.ts'

const AuditOutput = section(
  {
    type: Type.Enum(['file', 'syslog'], { description: '`file` appends to a file, `syslog` sends syslog messages.' }),
    path: nullableKey(Type.String({ minLength: 1 }), {
      description:
        'For a file: its path, absolute or in the configuration folder. The file is created with mode 0600, only appended to, and reopened after it is moved or deleted.',
      allowed: 'audit-file',
      examples: ['/var/log/gatehouse/audit.jsonl'],
    }),
    format: Type.Enum(['jsonl', 'csv'], {
      default: 'jsonl',
      description:
        'For a file: `jsonl` is one JSON object per line, as in `GET /api/audit`; `csv` begins with a line of column names.',
    }),
    address: nullableKey(Type.String({ minLength: 1 }), {
      description:
        'For syslog: where the messages are sent. `unix:` is the socket of a syslog daemon on this machine, and needs the program `logger` of util-linux.',
      allowed: 'syslog-address',
      examples: ['unix:/dev/log', 'udp://192.0.2.9:514', 'tcp://logs.lan:601'],
    }),
    facility: Type.Enum([...facilities.keys()], {
      default: 'local0',
      description: 'For syslog: facility of the messages.',
    }),
    app_name: Type.String({
      pattern: '^[A-Za-z0-9._\\-]{1,48}$',
      default: 'gatehouse',
      description: 'For syslog: app name of the messages.',
      allowed: 'syslog-app-name',
    }),
  },
  { description: 'One output.' },
)

export type AuditOutput = ConfigOf<typeof AuditOutput>

export const AuditOutputs = table(AuditOutput, {
  names: '^[A-Za-z0-9_\\-]{1,64}$',
  wrongName: (name) => ({ problem: configProblem('invalid-output-name'), shown: shownText(name) }),
  description:
    'Where entries are also written, by name (letters, digits, `_`, `-`). Each complete entry is written once, in order, soon after it is saved; a new output begins with the next entry.',
  examples: [{ archive: { type: 'file', path: '/var/log/gatehouse/audit.jsonl' } }],
})

export type AuditOutputs = ConfigOf<typeof AuditOutputs>

export interface AuditConfigProblems {
  'invalid-output-name': null
  'no-effect-on-type': { readonly type: string }
}

/** The key that each type needs, and the one that only the other type has. */
const keys = new Map([
  ['file', { needed: 'path', other: 'address' }],
  ['syslog', { needed: 'address', other: 'path' }],
] as const)

/** What a file may be called: no configuration, database or key has such a name. */
const fileName = /[^/]\.(?:jsonl|csv|log)$/

export function checkAuditOutputs(
  outputs: ConfigOf<typeof AuditOutputs>,
  { problem, warning }: SectionReport<CodedMessage<AuditConfigProblems & EngineProblems>>,
): void {
  for (const [name, output] of outputs) {
    const at = (key: string) => ['audit', 'outputs', name, key]
    const { type, path, address } = output
    const { needed, other } = keys.get(type) ?? {}
    // A wrong type is a problem already.
    if (!needed || !other) continue
    if (output[needed] === null) {
      const allowed = allowedBy(AuditOutput.properties[needed])
      problem(at(needed), configProblem('key-missing', { allowed }, { allowed: describeAllowed(allowed) }))
    }
    if (output[other] !== null) warning(at(other), configProblem('no-effect-on-type', { type }))
    if (path !== null && !fileName.test(path)) problem(at('path'), wrongText(path, AuditOutput.properties.path))
    if (address !== null && !parseSyslogAddress(address)) {
      problem(at('address'), wrongText(shownText(address), AuditOutput.properties.address))
    }
  }
}
