import type { ConfigProblems, ValidationProblems, Reasons, UserProblems } from '../../../server/src/api-types.ts'
import { alternatives, describeAllowed } from './allowed.ts'
import type { Texts } from './catalogs.ts'

/**
 * For messages of the service whose values a text can't show as they are: lists, sizes in bytes, values that can be
 * missing. By the section of the texts and the message's code.
 */
export const adapters = {
  refusals: {
    'export-limit-own': ({ needed, left, limit }: Reasons['export-limit-own'], texts: Texts) => ({
      needed: gigabytes(needed, texts),
      left: gigabytes(left, texts),
      limit: gigabytes(limit, texts),
    }),
    'export-limit-all': ({ needed, left, limit }: Reasons['export-limit-all'], texts: Texts) => ({
      needed: gigabytes(needed, texts),
      hasLeft: left !== null,
      left: gigabytes(left ?? 0, texts),
      limit: gigabytes(limit, texts),
    }),
    'export-no-space': ({ needed, free }: Reasons['export-no-space'], texts: Texts) => ({
      needed: gigabytes(needed, texts),
      hasFree: free !== null,
      free: gigabytes(free ?? 0, texts),
    }),
    'camera-group-in-use': ({ roles }: Reasons['camera-group-in-use'], { listSeparator }: Texts) => ({
      roles: roles.join(listSeparator),
    }),
    'orphaned-roles': ({ roles, users }: Reasons['orphaned-roles'], { listSeparator }: Texts) => ({
      roles: roles.join(listSeparator),
      users: users.join(listSeparator),
    }),
  },
  problems: {
    'not-one-of': ({ allowed }: ValidationProblems['not-one-of'], { listSeparator }: Texts) => ({
      allowed: allowed.join(listSeparator),
    }),
    'no-such-role': ({ roles }: UserProblems['no-such-role'], { listSeparator }: Texts) => ({
      roles: roles.join(listSeparator),
    }),
  },
  configProblems: {
    'unknown-key': ({ key, keys }: ConfigProblems['unknown-key'], { listSeparator }: Texts) => ({
      key,
      hasKeys: keys.length > 0,
      keys: keys.join(listSeparator),
    }),
    'unknown-key-meant': ({ key, meant }: ConfigProblems['unknown-key-meant'], texts: Texts) => ({
      key,
      meant: alternatives(meant, texts),
    }),
    'key-missing': ({ allowed }: ConfigProblems['key-missing'], texts: Texts<'config-problems'>) => ({
      allowed: describeAllowed(allowed, texts),
    }),
    'value-empty': ({ allowed, optional }: ConfigProblems['value-empty'], texts: Texts<'config-problems'>) => ({
      allowed: describeAllowed(allowed, texts),
      optional: optional === true,
    }),
    'invalid-value': (
      { found, shape, allowed, quotes, meant }: ConfigProblems['invalid-value'],
      texts: Texts<'config-problems'>,
    ) => ({
      hasFound: found !== undefined,
      found: found ?? '',
      shape: shape ?? '',
      allowed: describeAllowed(allowed, texts),
      quotes: quotes === true,
      hasMeant: meant !== undefined,
      meant: meant ?? '',
    }),
    'list-empty': ({ allowed }: ConfigProblems['list-empty'], texts: Texts<'config-problems'>) => ({
      allowed: describeAllowed(allowed, texts),
    }),
    'unresolved-placeholder': ({ names }: ConfigProblems['unresolved-placeholder'], texts: Texts) => ({
      names: placeholders(names, texts),
    }),
    'placeholder-not-allowed': ({ names, prefix }: ConfigProblems['placeholder-not-allowed'], texts: Texts) => ({
      names: placeholders(names, texts),
      prefix,
    }),
    'unknown-camera-group': ({ group, meant }: ConfigProblems['unknown-camera-group']) => ({
      group,
      hasMeant: meant !== undefined,
      meant: meant ?? '',
    }),
    'unknown-role': ({ role, roles }: ConfigProblems['unknown-role'], { listSeparator }: Texts) => ({
      role,
      roles: roles.join(listSeparator),
    }),
  },
}

export type Adapters = typeof adapters

/** A number, without the unit. */
const gigabytes = (bytes: number, { tag }: Texts): string =>
  (bytes / 1e9).toLocaleString(tag, { maximumFractionDigits: bytes < 1e8 ? 3 : 1 })

const placeholders = (names: readonly string[], { listSeparator }: Texts): string =>
  names.map((name) => `{${name}}`).join(listSeparator)
