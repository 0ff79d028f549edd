import { useDebouncedCallback } from '@mantine/hooks'
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { settingsSearch, type SettingsSearch } from './search.ts'

/** How a page's filter stands in its address. */
export interface FilterForm<Filter> {
  readonly read: (search: SettingsSearch) => Filter
  readonly write: (filter: Filter) => SettingsSearch
}

/** Milliseconds after the last key; browsers take only so many addresses in a while. */
const rest = 300

/**
 * What a list is narrowed by, kept in the address: it can be sent to somebody, and the way back leads through it.
 *
 * @returns the filter; the choosing of another; and the same for what is typed, which makes no step of its own on the way back
 */
export function useFilter<Filter>({ read, write }: FilterForm<Filter>) {
  // The router hands on what its check has left out, and in the order of the address.
  const search = settingsSearch(useSearch({ from: '/framed/settings/$section' }))
  const pathname = useLocation({ select: (location) => location.pathname })
  const navigate = useNavigate({ from: '/settings/$section' })
  const router = useRouter()
  const [filter, setFilter] = useState(() => read(search))
  /** Put into the address by us, and not yet come back from it. */
  const written = useRef<string[]>([])
  const address = JSON.stringify(search)
  const adopted = useRef(address)

  useEffect(() => {
    if (adopted.current === address) return
    adopted.current = address
    const at = written.current.indexOf(address)
    if (at >= 0) return void written.current.splice(0, at + 1)
    written.current = []
    setFilter(read(JSON.parse(address) as SettingsSearch))
  }, [address, read])

  const put = (next: Filter, replace: boolean) => {
    const search = write(next)
    if (JSON.stringify(search) === adopted.current) return
    written.current.push(JSON.stringify(search))
    void navigate({ to: '.', search, replace, resetScroll: false })
  }
  const putTyped = useDebouncedCallback((next: Filter) => {
    // Not over another page that is being opened.
    if (router.latestLocation.pathname === pathname) put(next, true)
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
