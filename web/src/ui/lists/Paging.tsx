import { Group, Pagination } from '@mantine/core'
import { useLocale, useTexts } from '../../i18n/texts.ts'

const perPage = 50

export interface Paged<T> {
  readonly shown: readonly T[]
  readonly page: number
  readonly pages: number
  readonly go: (page: number) => void
}

/** Splits a long list into pages. @param requested from 1; clamped to the last page */
export function paged<T>(all: readonly T[], requested: number, go: (page: number) => void): Paged<T> {
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const page = Math.min(requested, pages)
  return { shown: all.slice((page - 1) * perPage, page * perPage), page, pages, go }
}

/** Links to the other pages; hidden if there is only one. */
export function Paging({ paged: { page, pages, go } }: { paged: Paged<unknown> }) {
  const { users } = useTexts('users')
  const numbers = new Intl.NumberFormat(useLocale())
  if (pages < 2) return null
  return (
    <Group justify="center" component="nav" aria-label={users.pages}>
      <Pagination
        total={pages}
        value={page}
        onChange={go}
        siblings={1}
        getItemProps={(page) => ({ 'aria-label': users.pageNumber({ page: numbers.format(page) }) })}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? users.nextPage : users.previousPage })}
      />
    </Group>
  )
}
