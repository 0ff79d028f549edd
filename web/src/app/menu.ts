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
  readonly actions: readonly string[]
}

/** The main menu, in order. Hidden if it has a single entry. */
const menu: readonly MenuEntry[] = [
  { to: '/', icon: IconDeviceCctv, label: (texts) => texts.menu.live, actions: ['live'] },
  { to: '/review', icon: IconWalk, label: (texts) => texts.menu.review, news: UnseenAlerts, actions: ['review'] },
  { to: '/history', icon: IconHistory, label: (texts) => texts.menu.history, actions: ['history'] },
  { to: '/exports', icon: IconDownload, label: (texts) => texts.menu.exports, actions: ['export'] },
  {
    to: '/settings',
    icon: IconSettings,
    label: (texts) => texts.menu.settings,
    actions: sections.map(({ action }) => action),
  },
]

/** The entries that a user with these actions has. */
export const entriesFor = (actions: readonly string[]): readonly MenuEntry[] =>
  menu.filter((entry) => entry.actions.some((action) => actions.includes(action)))
