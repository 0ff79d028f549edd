import type { TablerIcon } from '@tabler/icons-react'
import type { AsyncRouteComponent } from '@tanstack/react-router'
import type { Texts } from '../i18n/texts.ts'

/** One part of the settings: its page at `/settings/<path>`, and, where it has many of something, a page for each. */
export interface Section {
  readonly path: keyof Texts['settings']['sections']
  readonly icon: TablerIcon
  readonly label: (texts: Texts) => string
  /** Who may not do this finds neither the page nor its entry. */
  readonly action: string
  readonly page: AsyncRouteComponent<object>
  /** At `/settings/<path>/<item>`. */
  readonly itemPage?: AsyncRouteComponent<ItemProps>
}

export interface ItemProps {
  /** Its name, as it stands in the address. */
  readonly item: string
}
