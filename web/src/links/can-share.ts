import type { Profile } from '../../../server/src/api-types.ts'
import { useMe } from '../session/session.ts'

/** How someone uses the service without its own account; a share link needs one that it can end with. */
const withoutAccount: ReadonlySet<Profile['auth']> = new Set(['none', 'proxy', 'screen'])

/** Whether the user's role can share, and the user has an account. */
export const canShare = ({ actions, auth }: Profile): boolean => actions.includes('share') && !withoutAccount.has(auth)

export const useCanShare = (): boolean => canShare(useMe())
