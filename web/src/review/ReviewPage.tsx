import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTexts } from '../i18n/texts.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Shortcuts } from '../ui/shortcuts/Shortcuts.tsx'
import { ReviewFilters } from './ReviewFilters.tsx'
import { ReviewList } from './ReviewList.tsx'
import classes from './ReviewPage.module.css'
import { filterOf, type ReviewFilter } from './search.ts'

/** The review items, by day. */
export function ReviewPage() {
  const { menu, shortcuts } = useTexts('shortcuts')
  const search = useSearch({ from: '/framed/review' })
  const filter = filterOf(search)
  const navigate = useNavigate({ from: '/review' })
  const choose = (next: ReviewFilter) => void navigate({ search: next, resetScroll: false })
  const play = (id: string | undefined) =>
    void navigate({ search: { ...filter, ...(id !== undefined && { item: id }) }, resetScroll: false, replace: true })

  return (
    <div className={classes.page}>
      <PageTitle of={menu.review} />
      <Shortcuts
        of={[
          [['←', '↑', '→', '↓'], shortcuts.items],
          [['Enter'], shortcuts.play],
          [['S'], shortcuts.seen],
          [['X'], shortcuts.select],
          [['?'], shortcuts.help],
        ]}
      />
      <ReviewFilters filter={filter} onChoose={choose} />
      <ReviewList key={JSON.stringify(filter)} filter={filter} playing={search.item} onPlay={play} onChoose={choose} />
    </div>
  )
}
