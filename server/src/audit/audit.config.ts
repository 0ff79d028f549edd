import { Type } from 'typebox'
import { section, type ConfigOf } from '../config/key.ts'
import { AuditOutputs } from './output/output.config.ts'

export const AuditConfig = section(
  {
    retain_days: Type.Integer({
      default: 90,
      minimum: 1,
      description: 'Days an audit log entry is kept, except entries of `reads`.',
    }),
    reads: Type.Boolean({
      default: false,
      description:
        'Whether the audit log also records video access: live views, playback, downloads and snapshots, with camera, time, recorded range and duration.',
    }),
    reads_days: Type.Integer({ default: 90, minimum: 1, description: 'Days an entry of `reads` is kept.' }),
    outputs: AuditOutputs,
  },
  { title: 'audit', description: 'The audit log: which user did what.' },
)

export type AuditConfig = ConfigOf<typeof AuditConfig>
