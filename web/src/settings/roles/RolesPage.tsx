import { Alert, Button, TextInput, Title, Text } from '@mantine/core'
import { IconChevronRight, IconKey, IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { RoleView } from '../../../../server/src/api-types.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import classes from '../Page.module.css'
import { paged, Paging } from '../../ui/Paging.tsx'
import { rolesSearch } from '../search.ts'
import { SectionHead } from '../SectionHead.tsx'
import { useFilter, type FilterForm } from '../useFilter.ts'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { NewRole } from './NewRole.tsx'
import { RoleDifferences } from '../../users/RoleDifferences.tsx'
import { rolesQuery } from '../../users/roles.ts'
import listClasses from './RolesPage.module.css'
import { useRoleWords } from './useRoleWords.ts'

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

/** The list of roles, and in words what each gives. */
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
      <RoleDifferences />
      {roles.state === 'loading' && <ListSkeleton />}
      {roles.state === 'failed' && <ErrorState part error={roles.error} again={roles.again} />}
      {roles.state === 'ready' && (
        <>
          {roles.stale && (
            <Alert role="status" color="yellow">
              {texts.failure.stale}
            </Alert>
          )}
          <Custom roles={roles.value.filter(({ builtin }) => !builtin)} onAdd={() => setAdding(true)} />
          <Group title={texts.roles.builtin} lead={texts.roles.builtinLead}>
            <RoleList label={texts.roles.builtin} roles={roles.value.filter(({ builtin }) => builtin)} />
          </Group>
        </>
      )}
      <NewRole opened={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

function Custom({ roles, onAdd }: { roles: readonly RoleView[]; onAdd: () => void }) {
  const texts = useTexts('roles')
  const locale = useLocale()
  const { filter, choose, type } = useFilter(roleFilterForm)
  const requested = filter.text.trim().toLowerCase()
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const found = roles
    .filter(({ name, cameras }) => [name, ...cameras].some((word) => word.toLowerCase().includes(requested)))
    .sort((a, b) => compare(a.name, b.name))
  const list = paged(found, filter.page, (page) => choose({ ...filter, page }))

  return (
    <Group title={texts.roles.custom} lead={texts.roles.customLead}>
      {(roles.length > few || filter.text !== '') && (
        <TextInput
          className={classes.search}
          type="search"
          leftSection={<IconSearch size={18} aria-hidden />}
          aria-label={texts.roles.search}
          placeholder={texts.roles.search}
          value={filter.text}
          onChange={(event) => type({ text: event.currentTarget.value, page: 1 })}
        />
      )}
      {roles.length === 0 ? (
        <EmptyState
          icon={IconKey}
          title={texts.roles.noneTitle}
          action={
            <Button variant="default" onClick={onAdd}>
              {texts.roles.add}
            </Button>
          }
        >
          {texts.roles.none}
        </EmptyState>
      ) : found.length === 0 ? (
        <Text c="dimmed" role="status">
          {texts.roles.noMatchingRole}
        </Text>
      ) : (
        <RoleList label={texts.roles.custom} roles={list.shown} />
      )}
      <Paging paged={list} />
    </Group>
  )
}

function Group({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className={listClasses.group} aria-label={title}>
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" mt={2}>
          {lead}
        </Text>
      </div>
      {children}
    </section>
  )
}

function RoleList({ label, roles }: { label: string; roles: readonly RoleView[] }) {
  const texts = useTexts('roles')
  const inWords = useRoleWords()
  return (
    <ul className={`${classes.list} ${classes.surface}`} aria-label={label}>
      {roles.map((role) => (
        <li key={role.name} className={listClasses.role}>
          <div className={listClasses.what}>
            <Link to="/settings/roles/$role" params={{ role: role.name }} className={listClasses.name} preload={false}>
              {role.name}
            </Link>
            <Text size="sm" c="dimmed" className={listClasses.words}>
              {role.name === 'admin' || role.name === 'viewer' ? texts.roles[role.name] : inWords(role)}
            </Text>
          </div>
          <Text size="sm" c="dimmed" className={listClasses.users}>
            {texts.roles.users({ count: role.users })}
          </Text>
          <IconChevronRight size={18} aria-hidden className={listClasses.chevron} />
        </li>
      ))}
    </ul>
  )
}
