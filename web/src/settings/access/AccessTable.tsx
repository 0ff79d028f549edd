import { Alert, Button, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPrinter, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNarrow } from '../../ui/breakpoints.ts'
import { cameraChoices, camerasQuery } from '../../cameras/queries.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import type { Camera, RoleResponse } from '../../../../server/src/api-types.ts'
import { messageOf } from '../../api/failure.ts'
import { failureAmong, loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import pageClasses from '../Page.module.css'
import { rolesQuery } from '../../users/roles.ts'
import { oneOf } from '../../lib/one-of.ts'
import { useFilter } from '../useFilter.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { AccessCards } from './AccessCards.tsx'
import classes from './AccessPage.module.css'
import { AccessRows } from './AccessRows.tsx'
import { accessFilterForm, type AccessFilter, type AccessRow } from './effective-access.ts'
import { perPage, useAccessRows, usePrint } from './useAccessRows.ts'

/** The table of roles or users against cameras, with its filters. */
export function AccessTable() {
  const { access } = useTexts('access')
  const roles = loadOf(useQuery(rolesQuery))
  const cameras = loadOf(useQuery(camerasQuery))
  const failed = failureAmong(roles, cameras)

  return (
    <div className={classes.printed}>
      <Card title={access.tableTitle} lead={access.tableLead}>
        {failed ? (
          <ErrorState part {...failed} />
        ) : roles.state !== 'ready' || cameras.state !== 'ready' ? (
          <ListSkeleton />
        ) : cameras.value.length === 0 ? (
          <Text c="dimmed">{access.noCameras}</Text>
        ) : (
          <Table cameras={cameras.value} roles={roles.value} />
        )}
      </Card>
    </div>
  )
}

interface TableProps {
  readonly cameras: readonly Camera[]
  readonly roles: readonly RoleResponse[]
}

function Table({ cameras, roles }: TableProps) {
  const texts = useTexts('access', 'users')
  const { access } = texts
  const { filter: requested, choose, type } = useFilter(accessFilterForm)
  const filter = { ...requested, camera: cameras.some(({ name }) => name === requested.camera) ? requested.camera : '' }
  const [text] = useDebouncedValue(filter.text, 200)
  const { found, busy } = useAccessRows({ ...filter, text }, roles)
  const print = usePrint(filter, roles)

  const shown = found.state === 'ready' ? found.value : { rows: [], total: 0 }
  const rows = print.rows ?? shown.rows
  return (
    <>
      <Tools filter={filter} cameras={cameras} onChoose={choose} onType={type}>
        <Text size="sm" c="dimmed" role="status">
          {found.state === 'ready' &&
            access.count({ filtered: shown.rows.length !== shown.total, shown: shown.rows.length, all: shown.total })}
        </Text>
        <Button
          variant="default"
          className={classes.print}
          leftSection={<IconPrinter size={18} aria-hidden />}
          loading={print.isPending}
          onClick={print.print}
        >
          {access.print}
        </Button>
      </Tools>
      {print.error && <Alert color="red">{messageOf(print.error, texts)}</Alert>}
      {found.state === 'loading' && <ListSkeleton />}
      {found.state === 'failed' && <ErrorState part error={found.error} again={found.again} />}
      {found.state === 'ready' && found.stale && <StaleAlert />}
      {found.state === 'ready' && (
        <>
          <Text className={classes.onPaper}>
            {access.count({
              filtered: rows.length !== Math.max(rows.length, shown.total),
              shown: rows.length,
              all: Math.max(rows.length, shown.total),
            })}
          </Text>
          <Found
            rows={rows}
            cameras={cameras}
            filter={filter}
            printing={print.rows !== undefined}
            onClear={() => choose({ ...filter, text: '', camera: '', page: 1 })}
          />
        </>
      )}
      {rows.length < shown.total && (
        <Group justify="center" className={classes.more}>
          <Button
            variant="default"
            loading={busy}
            onClick={() => choose({ ...filter, page: Math.ceil(rows.length / perPage) + 1 })}
          >
            {texts.users.moreSessions({ count: Math.min(perPage, shown.total - rows.length) })}
          </Button>
        </Group>
      )}
    </>
  )
}

interface ToolsProps {
  readonly filter: AccessFilter
  readonly cameras: readonly Camera[]
  readonly onChoose: (filter: AccessFilter) => void
  readonly onType: (filter: AccessFilter) => void
  readonly children: ReactNode
}

function Tools({ filter, cameras, onChoose, onType, children }: ToolsProps) {
  const { access, users, roles } = useTexts('access', 'users', 'roles')
  const search = filter.rows === 'roles' ? roles.search : users.search
  return (
    <div className={pageClasses.tools} role="search">
      <SegmentedControl
        aria-label={access.rows}
        value={filter.rows}
        onChange={(rows) => onChoose({ ...filter, rows: oneOf(['users', 'roles'], rows, 'users'), page: 1 })}
        data={[
          { value: 'users', label: access.users },
          { value: 'roles', label: access.roles },
        ]}
      />
      <SearchField
        className={pageClasses.search}
        label={search}
        value={filter.text}
        onChange={(text) => onType({ ...filter, text, page: 1 })}
      />
      <NativeSelect
        className={pageClasses.filter}
        aria-label={access.camera}
        value={filter.camera}
        onChange={(event) => onChoose({ ...filter, camera: event.currentTarget.value, page: 1 })}
        data={[{ value: '', label: access.anyCamera }, ...cameraChoices(cameras)]}
      />
      {children}
    </div>
  )
}

interface FoundProps {
  readonly rows: readonly AccessRow[]
  readonly cameras: readonly Camera[]
  readonly filter: AccessFilter
  /** Whether to show the table even if the screen is narrow: paper has room for it. */
  readonly printing: boolean
  readonly onClear: () => void
}

function Found({ rows, cameras, filter, printing, onClear }: FoundProps) {
  const { access } = useTexts('access')
  const narrow = useNarrow()

  if (rows.length === 0) {
    return (
      <EmptyState
        icon={IconUserSearch}
        title={access.noMatchTitle}
        action={
          <Button variant="default" onClick={onClear}>
            {access.clear}
          </Button>
        }
      >
        {access.noMatch}
      </EmptyState>
    )
  }
  if (narrow && !printing) return <AccessCards rows={rows} cameras={cameras} />
  return (
    <AccessRows
      head={filter.rows === 'roles' ? access.roles : access.users}
      rows={rows}
      cameras={filter.camera === '' ? cameras : cameras.filter(({ name }) => name === filter.camera)}
    />
  )
}
