/** Texts of some pages only, by language: fetched with the first of these pages, and not with every first page. */
export interface PageTexts<T> {
  /** @param tag of a language that there is */
  load(tag: string): Promise<T>
  /** Whether a page has asked for them already. */
  requested(): boolean
}

/** @param loads by the tags in languages.ts */
export function pageTexts<T>(loads: Readonly<Record<string, () => Promise<T>>>): PageTexts<T> {
  const loaded = new Map<string, Promise<T>>()
  return {
    load(tag) {
      const known = loaded.get(tag)
      if (known) return known
      const load = loads[tag]
      if (!load) return Promise.reject(new Error(`no texts in ${tag}`))
      const texts = load()
      loaded.set(tag, texts)
      // Tried again when the page is.
      texts.catch(() => loaded.delete(tag))
      return texts
    },
    requested: () => loaded.size > 0,
  }
}
