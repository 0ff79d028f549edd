import { credentialOf, type TokenCredential } from '../../access/identity.ts'
import type { Caller } from '../../http/caller.ts'

type By = Pick<Caller, 'identity'>

function tokenOf({ identity }: By): TokenCredential | undefined {
  const credential = credentialOf(identity)
  return credential?.kind === 'token' ? credential : undefined
}

/** The API token of a request that creates a link or pairs a screen, which ends with the token; null: its creator is signed in. */
export const tokenIdOf = (by: By): string | null => tokenOf(by)?.id ?? null

/**
 * The end of a link, in Unix milliseconds: not after that of the API token which creates it. `Authentication.until` can
 * be much earlier, because it's when to check the owner again, which each use of the link does.
 */
export const cappedByToken = (expiresAt: number, by: By): number =>
  Math.min(expiresAt, tokenOf(by)?.expiresAt ?? Infinity)
