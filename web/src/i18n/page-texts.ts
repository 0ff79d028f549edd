/** Texts of a few pages, by language: fetched with the first of these pages, not at startup. */
export interface PageTexts<T> {
  /** @param tag of a supported language */
  load(tag: string): Promise<T>
  /** Whether a page has requested these texts. */
  requested(): boolean
}

/** @param loads keyed by the tags in languages.ts */
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
      // Retried when the page is opened again.
      texts.catch(() => loaded.delete(tag))
      return texts
    },
    requested: () => loaded.size > 0,
  }
}
