import { userKey, type UserIdentity } from './same-user.ts'

export type Codes = readonly string[]

/** Outside of React: with the first factor, the page can be rebuilt while the codes are shown. */
let kept: { readonly user: string; readonly codes: Codes } | undefined

/** New recovery codes of the user, until the user has saved them. */
export const keptCodes = (me: UserIdentity): Codes | undefined => (kept?.user === userKey(me) ? kept.codes : undefined)

export function keepCodes(me: UserIdentity, codes: Codes | undefined): void {
  kept = codes && { user: userKey(me), codes }
}

export function dropCodes(): void {
  kept = undefined
}
