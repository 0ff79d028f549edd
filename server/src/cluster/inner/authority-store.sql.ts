import type { Store } from '../../store/store.ts'

/** The certificate authority of the instances in the database, as text. */
export interface AuthorityStore {
  read(key: string): Promise<string | undefined>
  /** Replaces `previous`, unless another instance did. @returns the text that is stored now */
  replace(key: string, previous: string | undefined, next: string): Promise<string>
}

/** In the table `meta`. */
export const authorityStore = ({ db, transaction }: Pick<Store, 'db' | 'transaction'>): AuthorityStore => {
  const read = async (key: string, from: Pick<Store['db'], 'selectFrom'> = db) =>
    (await from.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  return {
    read: (key) => read(key),
    replace: (key, previous, next) =>
      transaction(async (within) => {
        if (previous === undefined) {
          await within
            .insertInto('meta')
            .values({ key, value: next })
            .onConflict((conflict) => conflict.column('key').doNothing())
            .execute()
        } else {
          await within
            .updateTable('meta')
            .set({ value: next })
            .where('key', '=', key)
            .where('value', '=', previous)
            .execute()
        }
        return (await read(key, within)) ?? next
      }),
  }
}
