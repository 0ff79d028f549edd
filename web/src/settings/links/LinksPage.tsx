import { Button, NativeSelect } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { LinkResponse } from '../../../../server/src/api-types.ts'
import { loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { LinkList } from '../../links/LinkList.tsx'
import { allLinksQuery } from '../../links/queries.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import classes from '../Page.module.css'
import { linksSearch } from '../search.ts'
import { SectionHead } from '../SectionHead.tsx'
import { useFilter, type FilterForm } from '../useFilter.ts'

interface LinksFilter {
  /** Empty: of all users. */
  readonly owner: string
}

const linksFilterForm: FilterForm<LinksFilter, ReturnType<typeof linksSearch>> = {
  search: linksSearch,
  read: ({ user = '' }) => ({ owner: user }),
  write: ({ owner }) => ({ user: owner }),
}

/** The share links of all users. */
export function LinksPage() {
  const { settings, links } = useTexts('settings', 'links')
  const all = loadOf(useQuery(allLinksQuery))
  return (
    <div className={classes.page}>
      <SectionHead title={settings.sections.links} lead={links.leadAll} />
      {all.state === 'loading' && <ListSkeleton />}
      {all.state === 'failed' && <ErrorState error={all.error} again={all.again} part />}
      {all.state === 'ready' && <AllLinks all={all.value} />}
    </div>
  )
}

function AllLinks({ all }: { all: readonly LinkResponse[] }) {
  const { links } = useTexts('links')
  const { filter, choose } = useFilter(linksFilterForm)
  const owners = [...new Set([...all.map(({ owner }) => owner), filter.owner])].filter((owner) => owner !== '').sort()
  const shown = all.filter(({ owner }) => filter.owner === '' || owner === filter.owner)

  if (all.length === 0 && filter.owner === '') {
    return (
      <EmptyState icon={IconLink} title={links.noneTitle}>
        {links.noneOfAll}
      </EmptyState>
    )
  }
  return (
    <>
      <div className={classes.tools}>
        <NativeSelect
          className={classes.filter}
          label={links.owner}
          value={filter.owner}
          onChange={({ currentTarget }) => choose({ owner: currentTarget.value })}
          data={[{ value: '', label: links.allOwners }, ...owners]}
        />
      </div>
      {shown.length > 0 ? (
        <LinkList links={shown} withOwner />
      ) : (
        <EmptyState
          icon={IconLink}
          title={links.noneTitle}
          action={
            <Button variant="default" onClick={() => choose({ owner: '' })}>
              {links.showAll}
            </Button>
          }
        >
          {links.noneOf({ name: filter.owner })}
        </EmptyState>
      )}
    </>
  )
}
