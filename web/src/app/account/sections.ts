import { IconApi, IconEye, IconLink, IconShieldLock, IconUser, type TablerIcon } from '@tabler/icons-react'
import type { Profile } from '../../../../server/src/api-types.ts'
import type { Texts } from '../../i18n/texts.ts'
import { hasAccount } from '../../session/session.ts'
import { canShare } from '../../links/can-share.ts'

/** A page below `/account`. */
export interface AccountSection {
  readonly to: '/account' | '/account/security' | '/account/tokens' | '/account/links' | '/account/activity'
  readonly label: keyof Texts<'account'>['accountSections']
  readonly icon: TablerIcon
  /** Whether the page has something for this user. */
  readonly isFor: (me: Profile) => boolean
}

/** In menu order. */
const sections: readonly AccountSection[] = [
  { to: '/account', label: 'profile', icon: IconUser, isFor: () => true },
  { to: '/account/security', label: 'security', icon: IconShieldLock, isFor: ({ auth }) => auth === 'password' },
  { to: '/account/tokens', label: 'tokens', icon: IconApi, isFor: hasAccount },
  { to: '/account/links', label: 'links', icon: IconLink, isFor: canShare },
  // Everyone on the internal port is the same user.
  { to: '/account/activity', label: 'activity', icon: IconEye, isFor: ({ auth }) => auth !== 'none' },
]

/** The pages that have something for this user. */
export const sectionsFor = (me: Profile): readonly AccountSection[] => sections.filter(({ isFor }) => isFor(me))
