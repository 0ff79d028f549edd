/** All search parameters of the URLs below `/settings`; each page uses some of them. */
const names = [
  'q',
  'role',
  'sort',
  'user',
  'action',
  'result',
  'period',
  'from',
  'to',
  'logger',
  'level',
  'rows',
  'camera',
] as const

export type SettingsSearch = Partial<Record<(typeof names)[number], string>> & {
  /** The page of a list, from 1; omitted for the first. */
  readonly page?: number
}

/** The valid search parameters of a URL. */
export function settingsSearch(given: Readonly<Record<string, unknown>>): SettingsSearch {
  const texts = names.flatMap((name) => {
    const value = given[name]
    // The router parses `?q=12` as a number.
    const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
    return text === '' || text.length > longest ? [] : [[name, text] as const]
  })
  const page = Number(given['page'])
  return { ...Object.fromEntries(texts), ...(Number.isSafeInteger(page) && page > 1 && { page }) }
}

/** Characters; no field accepts more. */
const longest = 256

/** The search parameters that are set. */
export const chosen = (search: { readonly [Name in keyof SettingsSearch]: SettingsSearch[Name] | undefined }) =>
  settingsSearch(search)
