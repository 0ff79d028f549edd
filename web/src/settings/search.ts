import { searchText } from '../lib/search-text.ts'

/** A page's search parameters: texts by name, and the page of its list. */
export type Search<Name extends string> = { readonly [Key in Name]?: string } & {
  /** The page of a list, from 1; omitted for the first. */
  readonly page?: number
}

/** Reads a page's own search parameters, for its route's `validateSearch`; invalid ones are left out. */
export const searchOf =
  <Name extends string>(...names: readonly Name[]) =>
  (given: Readonly<Record<string, unknown>>): Search<Name> => {
    const texts = names.flatMap((name) => {
      const text = searchText(given[name])
      return text === '' || text.length > maxLength ? [] : [[name, text] as const]
    })
    const page = Number(given['page'])
    return { ...Object.fromEntries(texts), ...(Number.isSafeInteger(page) && page > 1 && { page }) } as Search<Name>
  }

/** Characters; no field accepts more. */
const maxLength = 256

export const usersSearch = searchOf('q', 'role', 'sign_in', 'sort')
export const rolesSearch = searchOf('q')
export const camerasSearch = searchOf('edit')
export const accessSearch = searchOf('rows', 'q', 'camera')
export const linksSearch = searchOf('user')
export const auditSearch = searchOf('view', 'user', 'camera', 'action', 'result', 'sort', 'period', 'from', 'to')
export const logSearch = searchOf('logger', 'level', 'q')
