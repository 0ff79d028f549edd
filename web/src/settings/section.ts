import type { TablerIcon } from '@tabler/icons-react'
import type { AsyncRouteComponent } from '@tanstack/react-router'
import type { CatalogName } from '../i18n/catalogs.ts'
import type { Texts } from '../i18n/texts.ts'

/** A section of the settings: its page at `/settings/<path>`, and possibly a page for each of its items. */
export interface Section {
  readonly path: keyof Texts<'settings'>['settings']['sections']
  readonly icon: TablerIcon
  readonly label: (texts: Texts<'settings'>) => string
  /** The action that the section requires. Without it, its page and its menu entry are hidden. */
  readonly action: string
  readonly page: AsyncRouteComponent<object>
  /** The catalogs of texts that its pages need, besides those of every settings page. */
  readonly texts: readonly CatalogName[]
  /** The page of one item, at `/settings/<path>/<item>`. */
  readonly itemPage?: AsyncRouteComponent<ItemProps>
}

export interface ItemProps {
  /** The item's name in the URL. */
  readonly item: string
}
