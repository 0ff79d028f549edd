import { IconDeviceCctv, IconDownload, IconHistory, IconSettings, IconWalk, type TablerIcon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { UnseenAlerts } from '../review/UnseenAlerts.tsx'
import { sections } from './settings/sections.ts'
import type { Texts } from '../i18n/texts.ts'

export interface MenuEntry {
  readonly to: '/' | '/review' | '/history' | '/exports' | '/settings'
  readonly icon: TablerIcon
  readonly label: (texts: Texts) => string
  /** A number shown next to the entry. */
  readonly news?: ComponentType
  /** The entry is shown if the user's role allows at least one of these. */
  readonly actions?: readonly string[]
}

/** The main menu, in order. Hidden if it has a single entry. */
export const menu: readonly MenuEntry[] = [
  { to: '/', icon: IconDeviceCctv, label: (texts) => texts.live.page },
  { to: '/review', icon: IconWalk, label: (texts) => texts.review.page, news: UnseenAlerts },
  { to: '/history', icon: IconHistory, label: (texts) => texts.history.page },
  { to: '/exports', icon: IconDownload, label: (texts) => texts.exports.page },
  {
    to: '/settings',
    icon: IconSettings,
    label: (texts) => texts.settings.page,
    actions: sections.map(({ action }) => action),
  },
]
