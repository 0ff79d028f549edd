import { Type } from 'typebox'
import { section, type ConfigOf } from '../config/key.ts'
import type { EngineProblem } from '../config/problem-codes.ts'
import type { SectionReport } from '../config/problem-collector.ts'
import { invalidValue } from '../config/schema/describe-constraint.ts'

export const DatabaseConfig = section(
  {
    url: Type.String({
      default: 'sqlite',
      secret: true,
      restart: true,
      description:
        'Database URL. `sqlite` is a file in the configuration folder. PostgreSQL lets several instances share one database; a `{SERVICE_DATABASE_…}` placeholder keeps its password out of this file.',
      allowed: 'database',
      examples: ['postgres://gatehouse:{SERVICE_DATABASE_PASSWORD}@db.lan/gatehouse'],
    }),
  },
  { title: 'database', machine: true, description: 'Storage of users, sessions and the audit log.' },
)

export type DatabaseConfig = ConfigOf<typeof DatabaseConfig>

export function checkDatabase({ url }: DatabaseConfig, { problem }: SectionReport<EngineProblem>): void {
  if (url === 'sqlite' || (/^postgres(ql)?:\/\/\S+$/.test(url) && URL.canParse(url))) return
  problem(['database', 'url'], invalidValue(DatabaseConfig.properties.url, {}))
}
