import { wallClockIn } from '../../access/hours.ts'
import { wrongText } from '../../config/schema/describe-constraint.ts'
import type { EngineProblems } from '../../config/problem-codes.ts'
import type { SectionReport } from '../../config/problem-collector.ts'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'
import { ConfigSchema } from './config.ts'

/** The time zone of the machine, an IANA name. */
export const machineTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function checkTimeZone(zone: string | null, { problem }: SectionReport<CodedMessage<EngineProblems>>): void {
  if (zone === null) return
  try {
    wallClockIn(zone)
  } catch {
    problem(['time_zone'], wrongText(zone, ConfigSchema.properties.time_zone))
  }
}
