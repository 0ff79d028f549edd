import type { Transaction } from 'kysely'
import type { Invalidation } from '../../../access/invalidation.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import type { Store } from '../../../store/store.ts'
import type { Tables } from '../../../store/tables.ts'
import type { Ended, FactorChange } from './factor-store.ts'

type Within = Transaction<Tables>

/**
 * Runs a change of a user's factors. The user's row is locked first, so that two changes at the same time can't leave the
 * user without the last factor.
 */
export function changeFactors(
  { user, keptSession, entry }: FactorChange,
  { transaction, changes, audit }: Store,
  change: (within: Within) => Promise<boolean>,
): Promise<Ended> {
  return transaction(async (within) => {
    const locked = await within
      .updateTable('user')
      .set((eb) => ({ factor_version: eb.ref('factor_version') }))
      .where('id', '=', user.id)
      .returning('id')
      .execute()
    if (locked.length === 0 || !(await change(within))) return undefined
    const has = await hasFactor(user.id, within)
    await within
      .updateTable('user')
      .set((eb) => ({ has_factor: has ? 1 : 0, factor_version: eb('factor_version', '+', 1) }))
      .where('id', '=', user.id)
      .execute()
    if (!has) await within.deleteFrom('recovery_code').where('user_id', '=', user.id).execute()
    await within.deleteFrom('remembered_device').where('user_id', '=', user.id).execute()
    const ended = await within
      .deleteFrom('session')
      .where('user_id', '=', user.id)
      .where('id', '!=', keptSession ?? '')
      .returning('id')
      .execute()
    const invalidations: Invalidation[] = [{ kind: 'user', key: user.key }]
    for (const { id } of ended) invalidations.push({ kind: 'session', id })
    for (const invalidation of invalidations) await changes.announce(invalidation, within)
    await audit.insert(entry, within)
    return ended.map(({ id }) => id)
  })
}

/** Runs a change that touches no factor, and inserts its audit entry in the same transaction if it changed something. */
export const withEntry = (
  entry: AuditEntry,
  { transaction, audit }: Pick<Store, 'transaction' | 'audit'>,
  change: (within: Within) => Promise<boolean>,
): Promise<boolean> =>
  transaction(async (within) => {
    const changed = await change(within)
    if (changed) await audit.insert(entry, within)
    return changed
  })

export async function hasFactor(userId: string, within: Within): Promise<boolean> {
  const totp = await within.selectFrom('totp').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  if (totp) return true
  const passkey = within.selectFrom('passkey').select('id').where('user_id', '=', userId).limit(1)
  return (await passkey.executeTakeFirst()) !== undefined
}
