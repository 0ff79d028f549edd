import { Group, Pagination } from '@mantine/core'
import { useState } from 'react'
import { useLocale, useTexts } from '../shared/texts/texts.ts'

const perPage = 50

export interface Paged<T> {
  readonly shown: readonly T[]
  readonly page: number
  readonly pages: number
  readonly go: (page: number) => void
}

/** A long list by pages. `of` names what was searched for: another search begins at its first page. */
export function usePaged<T>(all: readonly T[], of: string): Paged<T> {
  const [at, setAt] = useState({ of, page: 1 })
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const page = at.of === of ? Math.min(at.page, pages) : 1
  return {
    shown: all.slice((page - 1) * perPage, page * perPage),
    page,
    pages,
    go: (page) => setAt({ of, page }),
  }
}

/** The way from page to page; nothing where there is one. */
export function Paging({ paged: { page, pages, go } }: { paged: Paged<unknown> }) {
  const { users } = useTexts()
  const numbers = new Intl.NumberFormat(useLocale())
  if (pages < 2) return null
  return (
    <Group justify="center" component="nav" aria-label={users.pages}>
      <Pagination
        total={pages}
        value={page}
        onChange={go}
        siblings={1}
        getItemProps={(page) => ({ 'aria-label': users.pageNumber(numbers.format(page)) })}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? users.nextPage : users.previousPage })}
      />
    </Group>
  )
}
