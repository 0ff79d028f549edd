import { grantOfIdentity } from '../../access/identity-grant.ts'
import type { Identity } from '../../access/identity.ts'
import type { Roles } from '../../access/role.ts'
import type { ApiTokens } from '../api-token/api-tokens.ts'
import { onceFound } from '../once-found.ts'
import type { Screen } from './screen-store.ts'

type PairedBy = Pick<Screen, 'tokenId'>

/** When a screen ends without being removed. Not with the user who was signed in and paired it: it belongs to none. */
export interface PairingEnd {
  /** Unix milliseconds at which it may end, or `ended`; undefined: it does not end. */
  of(screen: PairedBy): number | undefined | 'ended' | Promise<number | undefined | 'ended'>
  /** @param at Unix milliseconds */
  hasEndedAt(screen: PairedBy, at: number): Promise<boolean>
}

export interface PairingEndDeps {
  readonly apiTokens: Pick<ApiTokens, 'current' | 'identityOf'>
  readonly roles: () => Pick<Roles, 'grantOf'>
}

/** A screen that an API token paired ends when the token does, or can't pair screens anymore (KEY-4). */
export function createPairingEnd({ apiTokens, roles }: PairingEndDeps): PairingEnd {
  const canPair = (identity: Identity, at?: number): boolean =>
    grantOfIdentity(roles(), identity, at).actions.has('screens.manage')
  return {
    of: ({ tokenId }) =>
      tokenId === null
        ? undefined
        : onceFound(apiTokens.current(tokenId), ({ identity, until }) => (canPair(identity) ? until : 'ended')),
    async hasEndedAt({ tokenId }, at) {
      if (tokenId === null) return false
      const identity = await apiTokens.identityOf(tokenId, at)
      return !identity || !canPair(identity, at)
    },
  }
}
