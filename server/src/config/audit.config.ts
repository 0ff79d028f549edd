import { Type } from 'typebox'
import { section, type Read } from './key.ts'

export const AuditConfig = section(
  { retain_days: Type.Integer({ default: 90, minimum: 1, description: 'Days a line of the audit record is kept.' }) },
  { title: 'audit', description: 'The record of who did what.' },
)

export type AuditConfig = Read<typeof AuditConfig>
