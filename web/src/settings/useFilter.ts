import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useIsHere } from '../lib/useIsHere.ts'

/** How a page's filter is read from and written to the URL's search parameters. */
export interface FilterForm<Filter, Search extends object> {
  /** The valid parameters of a URL: the `validateSearch` of the page's route. */
  readonly search: (given: Readonly<Record<string, unknown>>) => Search
  readonly read: (search: Search) => Filter
  /** Parameters that are undefined, empty or the default are left out of the URL. */
  readonly write: (filter: Filter) => { readonly [Name in keyof Search]: Search[Name] | undefined }
}

/** Milliseconds after the last keystroke; browsers limit how often the URL can change. */
const rest = 300

/**
 * A list's filter, kept in the URL so that it can be shared and works with the Back button.
 *
 * @returns the filter; `choose`, which adds a history entry; and `type`, which updates the URL without adding one
 */
export function useFilter<Filter, Search extends object>(form: FilterForm<Filter, Search>) {
  const { read } = form
  // The parameters of this page, in the order in which they are compared below.
  const search = form.search(useSearch({ strict: false }))
  const navigate = useNavigate()
  const isHere = useIsHere()
  const [filter, setFilter] = useState(() => read(search))
  /** Search parameters written by this hook that the router has not reported back yet. */
  const written = useRef<string[]>([])
  const address = JSON.stringify(search)
  const adopted = useRef(address)

  useEffect(() => {
    if (adopted.current === address) return
    adopted.current = address
    const at = written.current.indexOf(address)
    if (at >= 0) return void written.current.splice(0, at + 1)
    written.current = []
    setFilter(read(JSON.parse(address) as Search))
  }, [address, read])

  const put = (next: Filter, replace: boolean) => {
    const search = form.search(form.write(next))
    if (JSON.stringify(search) === adopted.current) return
    written.current.push(JSON.stringify(search))
    void navigate({ to: '.', search, replace, resetScroll: false })
  }
  const putTyped = useDebouncedCallback((next: Filter) => {
    if (isHere()) put(next, true)
  }, rest)

  const choose = (next: Filter) => {
    putTyped.cancel()
    setFilter(next)
    put(next, false)
  }
  const type = (next: Filter) => {
    setFilter(next)
    putTyped(next)
  }
  return { filter, choose, type }
}
