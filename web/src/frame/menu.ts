import { IconDeviceCctv, type TablerIcon } from '@tabler/icons-react'
import type { Texts } from '../shared/texts/en.ts'

export interface MenuEntry {
  readonly to: '/'
  readonly icon: TablerIcon
  readonly label: (texts: Texts) => string
  /** Offered only to those who may do this. */
  readonly action?: string
}

/** The main menu, in order. With a single entry it is not shown. */
export const menu: readonly MenuEntry[] = [{ to: '/', icon: IconDeviceCctv, label: (texts) => texts.live.page }]
