import { searchText } from '../lib/search-text.ts'

/** What a link to the form asks for. Lists are separated by commas; an empty list is one. */
export interface NewTokenSearch {
  readonly name?: string
  readonly cameras?: string
  readonly actions?: string
  /** `90d`, `never`, or RFC 3339. */
  readonly expires?: string
}

const names = ['name', 'cameras', 'actions', 'expires'] as const
/** Characters. */
const maxLength = 4096

/** Reads the query. What is absent stays absent: only then the form can begin with all cameras. */
export const newTokenSearch = (given: Readonly<Record<string, unknown>>): NewTokenSearch =>
  Object.fromEntries(
    names
      .filter((name) => given[name] !== undefined)
      .map((name) => [name, searchText(given[name]).slice(0, maxLength)]),
  )
