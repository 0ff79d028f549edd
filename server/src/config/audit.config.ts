import { Type } from 'typebox'
import { section, type Read } from './key.ts'

export const AuditConfig = section(
  {
    retain_days: Type.Integer({ default: 90, minimum: 1, description: 'Days a line of the audit record is kept.' }),
    reads: Type.Boolean({
      default: false,
      description:
        'Whether the audit record also says who watched live video, played back or downloaded recordings, and loaded pictures: of which camera, when, which recorded range and for how long.',
    }),
  },
  { title: 'audit', description: 'The record of who did what.' },
)

export type AuditConfig = Read<typeof AuditConfig>
