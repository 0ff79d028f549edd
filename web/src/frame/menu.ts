import { IconDeviceCctv, IconSettings, type TablerIcon } from '@tabler/icons-react'
import { sections } from '../settings/sections.ts'
import type { Texts } from '../shared/texts/texts.ts'

export interface MenuEntry {
  readonly to: '/' | '/settings'
  readonly icon: TablerIcon
  readonly label: (texts: Texts) => string
  /** Offered only to those who may do one of these. */
  readonly actions?: readonly string[]
}

/** The main menu, in order. With a single entry it is not shown. */
export const menu: readonly MenuEntry[] = [
  { to: '/', icon: IconDeviceCctv, label: (texts) => texts.live.page },
  {
    to: '/settings',
    icon: IconSettings,
    label: (texts) => texts.settings.page,
    actions: sections.map(({ action }) => action),
  },
]
