import { ownerText, type Owner } from '../access/identity.ts'
import { ServiceError } from '../shared/errors.ts'
import { createChangeLimit } from '../shared/rate/change-limit.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { ExportReasons } from './reasons.ts'

/**
 * Limits how often one user creates, renames or cancels exports.
 *
 * @throws ServiceError `too-many-attempts`
 */
export function createExportChangeLimit(clock: Pick<Clock, 'elapsed'>): (owner: Owner) => void {
  const limit = createChangeLimit(
    clock,
    (retryAfter) =>
      new ServiceError<ExportReasons>('too-many-attempts', { reason: 'too-many-export-changes', retryAfter }),
  )
  return (owner) => limit(ownerText(owner))
}
