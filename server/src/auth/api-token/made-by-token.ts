import { credentialOf } from '../../access/identity.ts'
import type { Caller } from '../../http/route.ts'

type By = Pick<Caller, 'identity' | 'authentication'>

/** The API token of a request that creates a link, which ends with the token; null: its creator is signed in. */
export function tokenIdOf({ identity }: Pick<By, 'identity'>): string | null {
  const credential = credentialOf(identity)
  return credential?.kind === 'token' ? credential.id : null
}

/** The end of a link, in Unix milliseconds: not after that of the API token which creates it. */
export const cappedByToken = (expiresAt: number, by: By): number =>
  tokenIdOf(by) === null ? expiresAt : Math.min(expiresAt, by.authentication.until ?? Infinity)
