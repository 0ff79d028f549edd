import { Button, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCheck, IconPrinter, IconSearch, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { camerasQuery, titleOf } from '../../live/cameras.ts'
import { Failure } from '../../frame/Failure.tsx'
import type { Camera } from '../../shared/api-types.ts'
import { failureAmong, loadOf } from '../../shared/load.ts'
import { useSettingsTexts } from '../../shared/texts/admin-texts.ts'
import { Card } from '../Card.tsx'
import { Nothing } from '../Nothing.tsx'
import pageClasses from '../Page.module.css'
import { paged, Paging } from '../Paging.tsx'
import { rolesQuery } from '../roles/roles.ts'
import { oneOf } from '../search.ts'
import { useFilter } from '../useFilter.ts'
import { usersQuery } from '../users/people.ts'
import { Waiting } from '../Waiting.tsx'
import { Wide } from '../Wide.tsx'
import { AccessCards } from './AccessCards.tsx'
import classes from './AccessPage.module.css'
import { accessFilterForm, fitting, rowsOfRoles, rowsOfUsers, type AccessRow } from './effective-access.ts'

/** Roles or users, against cameras. */
export function AccessTable() {
  const { access } = useSettingsTexts()
  const roles = loadOf(useQuery(rolesQuery))
  // All of them, because the table is printed in full; page by page, and not again and again.
  const users = loadOf(useQuery({ ...usersQuery({ most: Infinity }), refetchInterval: false }))
  const cameras = loadOf(useQuery(camerasQuery))
  const failed = failureAmong(roles, users, cameras)

  return (
    <div className={classes.printed}>
      <Card title={access.tableTitle} lead={access.tableLead}>
        {failed ? (
          <Failure part {...failed} />
        ) : roles.state !== 'ready' || users.state !== 'ready' || cameras.state !== 'ready' ? (
          <Waiting />
        ) : cameras.value.length === 0 ? (
          <Text c="dimmed">{access.noCameras}</Text>
        ) : (
          <Table
            cameras={cameras.value}
            roles={rowsOfRoles(roles.value)}
            users={rowsOfUsers(users.value.users, roles.value)}
          />
        )}
      </Card>
    </div>
  )
}

interface TableParts {
  readonly cameras: readonly Camera[]
  readonly roles: readonly AccessRow[]
  readonly users: readonly AccessRow[]
}

function Table({ cameras, roles, users }: TableParts) {
  const { access } = useSettingsTexts()
  const { filter, choose, type } = useFilter(accessFilterForm)
  const { rows: kind } = filter
  const camera = cameras.some(({ name }) => name === filter.camera) ? filter.camera : ''
  const text = useDeferredValue(filter.text)
  const printing = usePrinting()
  const narrow = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })

  const all = kind === 'roles' ? roles : users
  const found = fitting(all, { text, camera })
  const list = paged(found, filter.page, (page) => choose({ ...filter, page }))
  const rows = printing ? found : list.shown
  const columns = camera === '' ? cameras : cameras.filter(({ name }) => name === camera)

  return (
    <>
      <div className={pageClasses.tools} role="search">
        <SegmentedControl
          aria-label={access.rows}
          value={kind}
          onChange={(rows) => choose({ ...filter, rows: oneOf(['users', 'roles'], rows, 'users'), page: 1 })}
          data={[
            { value: 'users', label: access.users },
            { value: 'roles', label: access.roles },
          ]}
        />
        <TextInput
          className={pageClasses.search}
          type="search"
          leftSection={<IconSearch size={18} aria-hidden />}
          aria-label={access.search}
          placeholder={access.search}
          value={filter.text}
          onChange={(event) => type({ ...filter, text: event.currentTarget.value, page: 1 })}
        />
        <NativeSelect
          className={pageClasses.filter}
          aria-label={access.camera}
          value={camera}
          onChange={(event) => choose({ ...filter, camera: event.currentTarget.value, page: 1 })}
          data={[
            { value: '', label: access.anyCamera },
            ...cameras.map((one) => ({ value: one.name, label: titleOf(one) })),
          ]}
        />
        <Text size="sm" c="dimmed" role="status">
          {access.count(found.length, all.length)}
        </Text>
        <Button
          variant="default"
          className={classes.print}
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => window.print()}
        >
          {access.print}
        </Button>
      </div>
      {found.length === 0 ? (
        <Nothing
          icon={IconUserSearch}
          title={access.noMatchTitle}
          action={
            <Button variant="default" onClick={() => choose({ ...filter, text: '', camera: '', page: 1 })}>
              {access.clear}
            </Button>
          }
        >
          {access.noMatch}
        </Nothing>
      ) : narrow && !printing ? (
        <AccessCards rows={rows} cameras={cameras} />
      ) : (
        <Wide label={access.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">{kind === 'roles' ? access.roles : access.users}</th>
                {columns.map((one) => (
                  <th key={one.name} scope="col" className={classes.cell}>
                    {titleOf(one)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <th scope="row">
                    {row.name}
                    {row.role !== undefined && <span className={classes.role}>{row.role}</span>}
                  </th>
                  {columns.map(({ name }) => (
                    <td key={name} className={classes.cell}>
                      {row.cameras.has(name) ? (
                        <>
                          <IconCheck size={18} className={classes.yes} aria-hidden />
                          <span className="visually-hidden">{access.yes}</span>
                        </>
                      ) : (
                        <>
                          <span aria-hidden className={classes.no}>
                            –
                          </span>
                          <span className="visually-hidden">{access.no}</span>
                        </>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <Paging paged={list} />
    </>
  )
}

/** Whether the page is being printed: then the table stands there in full. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true))
    const after = () => setPrinting(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return printing
}
