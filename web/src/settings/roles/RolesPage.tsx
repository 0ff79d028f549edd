import { Button, Title, Text } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RoleResponse } from '../../../../server/src/api-types.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import classes from '../Page.module.css'
import { paged, Paging } from '../../ui/lists/Paging.tsx'
import { rolesSearch } from '../search.ts'
import { SectionHead } from '../SectionHead.tsx'
import { useFilter, type FilterForm } from '../useFilter.ts'
import { useNarrow } from '../../ui/breakpoints.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { NewRole } from './NewRole.tsx'
import { rolesQuery } from '../../users/roles.ts'
import { RoleCards, RoleMatrix, type RoleGroup } from './RoleMatrix.tsx'
import listClasses from './RolesPage.module.css'

interface RoleFilter {
  readonly text: string
  readonly page: number
}

const roleFilterForm: FilterForm<RoleFilter, ReturnType<typeof rolesSearch>> = {
  search: rolesSearch,
  read: ({ q = '', page = 1 }) => ({ text: q, page }),
  write: ({ text, page }) => ({ q: text, page }),
}

/** Number of custom roles above which there is a search field. */
const few = 10

/** The roles, and what each gives. */
export function RolesPage() {
  const texts = useTexts('settings', 'roles')
  const roles = loadOf(useQuery(rolesQuery))
  const [adding, setAdding] = useState(false)

  return (
    <div className={classes.page}>
      <SectionHead title={texts.settings.sections.roles} lead={texts.roles.lead}>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
          {texts.roles.add}
        </Button>
      </SectionHead>
      {roles.state === 'loading' && <ListSkeleton />}
      {roles.state === 'failed' && <ErrorState part error={roles.error} again={roles.again} />}
      {roles.state === 'ready' && (
        <>
          {roles.stale && <StaleAlert />}
          <Roles all={roles.value} onAdd={() => setAdding(true)} />
        </>
      )}
      <NewRole opened={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

function Roles({ all, onAdd }: { all: readonly RoleResponse[]; onAdd: () => void }) {
  const { roles } = useTexts('roles')
  const locale = useLocale()
  const { filter, choose, type } = useFilter(roleFilterForm)
  const custom = all.filter(({ builtin }) => !builtin)
  const titleOf = useTitles()
  const requested = filter.text.trim().toLowerCase()
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const found = custom
    .filter(({ name, cameras }) =>
      [name, ...cameras, ...cameras.map(titleOf)].some((word) => word.toLowerCase().includes(requested)),
    )
    .sort((a, b) => compare(a.name, b.name))
  const list = paged(found, filter.page, (page) => choose({ ...filter, page }))
  const groups = [
    { title: roles.custom, lead: roles.customLead, roles: list.shown },
    { title: roles.builtin, lead: roles.builtinLead, roles: all.filter(({ builtin }) => builtin) },
  ].filter((group) => group.roles.length > 0)

  return (
    <>
      {(custom.length > few || filter.text !== '') && (
        <div className={classes.tools} role="search">
          <SearchField
            className={classes.search}
            label={roles.search}
            value={filter.text}
            onChange={(text) => type({ text, page: 1 })}
          />
        </div>
      )}
      {custom.length === 0 ? (
        <NoCustomRoles onAdd={onAdd} />
      ) : (
        found.length === 0 && (
          <Text c="dimmed" role="status">
            {roles.noMatchingRole}
          </Text>
        )
      )}
      <RoleGroups groups={groups} />
      <Paging paged={list} />
    </>
  )
}

function NoCustomRoles({ onAdd }: { onAdd: () => void }) {
  const { roles } = useTexts('roles')
  return (
    <EmptyState
      icon={IconKey}
      title={roles.noneTitle}
      action={
        <Button variant="default" onClick={onAdd}>
          {roles.add}
        </Button>
      }
    >
      {roles.none}
    </EmptyState>
  )
}

/** Groups of roles as one table, or as cards on narrow screens. */
function RoleGroups({ groups }: { groups: readonly RoleGroup[] }) {
  const narrow = useNarrow()
  if (!narrow) return <RoleMatrix groups={groups} />
  return groups.map(({ title, lead, roles }) => (
    <section key={title} className={listClasses.group} aria-label={title}>
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" mt={2}>
          {lead}
        </Text>
      </div>
      <ul className={`${classes.list} ${classes.surface}`} aria-label={title}>
        <RoleCards roles={roles} />
      </ul>
    </section>
  ))
}
