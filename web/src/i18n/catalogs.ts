import { catalogs } from 'virtual:messages'
import type { Catalogs } from './catalogs.gen.ts'

/** A file of messages in each language's folder, loaded with the pages that use it. */
export type CatalogName = keyof Catalogs

type Merged<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void ? All : never

/** The texts of one language: those that every page needs, and those of the named catalogs. */
export type Texts<Name extends CatalogName = never> = Merged<Catalogs[Name | 'common']> & {
  /** BCP 47. */
  readonly tag: string
}

interface Language {
  /** Grows with each catalog, so its identity stays the same. */
  readonly texts: { readonly tag: string }
  readonly loaded: Set<CatalogName>
  readonly failed: Set<CatalogName>
  readonly loading: Map<CatalogName, Promise<void>>
}

const languages = new Map<string, Language>()
const requested = new Set<CatalogName>(['common'])

/** The catalogs that the pages opened so far have requested. */
export const requestedCatalogs = (): readonly CatalogName[] => [...requested]

/** undefined until these catalogs are loaded. */
export function loadedTexts<Name extends CatalogName>(tag: string, names: readonly Name[]): Texts<Name> | undefined {
  const { texts, loaded } = languageOf(tag)
  // Sound: `texts` has every message of a loaded catalog.
  return ['common' as const, ...names].every((name) => loaded.has(name)) ? (texts as Texts<Name>) : undefined
}

/**
 * Loads catalogs that are not loaded yet, in parallel.
 *
 * @param tag of a language in languages.ts
 * @throws Error if a catalog can't be fetched; the next call tries again
 */
export async function loadTexts<Name extends CatalogName>(tag: string, names: readonly Name[]): Promise<Texts<Name>> {
  const { failed, loading } = languageOf(tag)
  const needed = ['common' as const, ...names]
  for (const name of needed) if (failed.delete(name)) loading.delete(name)
  await Promise.all(needed.map((name) => catalogLoad(tag, name)))
  const texts = loadedTexts(tag, names)
  if (!texts) throw new Error(`the texts in ${tag} are not loaded`)
  return texts
}

/** The same promise for each call, as React's `use` needs; after a failure, until `loadTexts` tries again. */
export function catalogLoad(tag: string, name: CatalogName): Promise<void> {
  const { texts, loaded, failed, loading } = languageOf(tag)
  requested.add(name)
  const known = loading.get(name)
  if (known) return known
  const load = async () => {
    const messages = await catalogs[tag]?.[name]?.()
    if (!messages) throw new Error(`no texts in ${tag}`)
    Object.assign(texts, messages.default)
    loaded.add(name)
  }
  const promise = load()
  promise.catch(() => failed.add(name))
  loading.set(name, promise)
  return promise
}

function languageOf(tag: string): Language {
  const known = languages.get(tag)
  if (known) return known
  const language: Language = { texts: { tag }, loaded: new Set(), failed: new Set(), loading: new Map() }
  languages.set(tag, language)
  return language
}
