/** What may stand behind the `?` of an address below `/settings`; each page reads what is its own. */
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
  /** Of a list, from 1; not given for the first. */
  readonly page?: number
}

/** What an address says, as far as it can be meant. */
export function settingsSearch(given: Readonly<Record<string, unknown>>): SettingsSearch {
  const texts = names.flatMap((name) => {
    const value = given[name]
    // `?q=12` is read as a number.
    const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
    return text === '' || text.length > longest ? [] : [[name, text] as const]
  })
  const page = Number(given['page'])
  return { ...Object.fromEntries(texts), ...(Number.isSafeInteger(page) && page > 1 && { page }) }
}

/** Characters; no field takes more. */
const longest = 256

/** What was chosen, without what was not. */
export const chosen = (search: { readonly [Name in keyof SettingsSearch]: SettingsSearch[Name] | undefined }) =>
  settingsSearch(search)

/** One of these, whatever the address says. */
export const oneOf = <T extends string>(values: readonly T[], given: string | undefined, otherwise: T): T =>
  values.find((value) => value === given) ?? otherwise
