import { Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { RoleResponse } from '../../../../server/src/api-types.ts'
import { useTexts } from '../../i18n/texts.ts'
import { ScrollableTable } from '../../ui/lists/ScrollableTable.tsx'
import { cameraActions } from '../../users/role-keys.ts'
import classes from './RoleMatrix.module.css'
import { useRoleWords } from './useRoleWords.ts'

export interface RoleGroup {
  readonly title: string
  readonly lead: string
  readonly roles: readonly RoleResponse[]
}

/** A table with a row per role and a column per action. */
export function RoleMatrix({ groups }: { groups: readonly RoleGroup[] }) {
  const { roles, grants } = useTexts('roles', 'grants')
  const { matrix } = roles
  const columns = cameraActions.length + 3
  return (
    <ScrollableTable label={matrix.label}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">{matrix.role}</th>
            <th scope="col">{matrix.cameras}</th>
            {cameraActions.map((action) => (
              <th key={action} scope="col" className={classes.action} title={grants.form.actions[action].hint}>
                {grants.form.actions[action].name}
              </th>
            ))}
            <th scope="col">{matrix.times}</th>
          </tr>
        </thead>
        {groups.map(({ title, lead, roles: members }) => (
          <tbody key={title} aria-label={title}>
            <tr>
              <th scope="rowgroup" colSpan={columns} className={classes.group}>
                {title} <span className={classes.lead}>{lead}</span>
              </th>
            </tr>
            {members.map((role) => (
              <Row key={role.name} role={role} />
            ))}
          </tbody>
        ))}
      </table>
    </ScrollableTable>
  )
}

function Row({ role }: { role: RoleResponse }) {
  const words = useRoleWords()
  return (
    <tr>
      <th scope="row">
        <RoleName role={role} />
      </th>
      <td className={`${classes.words} ${classes.cameras}`}>
        <RoleCameras role={role} />
      </td>
      {cameraActions.map((action) => (
        <td key={action} className={classes.action}>
          <Mark allowed={role.allow.includes(action)} />
        </td>
      ))}
      <td className={classes.words}>{words.limits(role)}</td>
    </tr>
  )
}

function RoleName({ role: { name, users } }: { role: RoleResponse }) {
  const { roles } = useTexts('roles')
  return (
    <>
      <Link to="/settings/roles/$role" params={{ role: name }} className={classes.name} preload={false}>
        {name}
      </Link>
      <Text span size="sm" c="dimmed" className={classes.users}>
        {roles.users({ count: users })}
      </Text>
    </>
  )
}

/** The cameras of a role; of a built-in one what it is for. */
function RoleCameras({ role: { name, cameras } }: { role: RoleResponse }) {
  const { roles } = useTexts('roles')
  const words = useRoleWords()
  return name === 'admin' || name === 'viewer' ? roles[name] : words.cameras(cameras)
}

function Mark({ allowed }: { allowed: boolean }) {
  const { matrix } = useTexts('roles').roles
  return (
    <>
      {allowed ? (
        <IconCheck size={18} className={classes.yes} aria-hidden />
      ) : (
        <span aria-hidden className={classes.no}>
          –
        </span>
      )}
      <span className="visually-hidden">{allowed ? matrix.allowed : matrix.denied}</span>
    </>
  )
}

/** The same on a phone: a card per role, with a list of all actions. */
export function RoleCards({ roles }: { roles: readonly RoleResponse[] }) {
  const { grants } = useTexts('grants')
  const words = useRoleWords()
  return roles.map((role) => (
    <li key={role.name} className={classes.card}>
      <div className={classes.head}>
        <RoleName role={role} />
      </div>
      <Text size="sm" className={classes.wrapped}>
        <RoleCameras role={role} />
      </Text>
      <ul className={classes.actions} aria-label={grants.form.actionsTitle}>
        {cameraActions.map((action) => (
          <li key={action} data-allowed={role.allow.includes(action) || undefined}>
            <span className={classes.mark}>
              <Mark allowed={role.allow.includes(action)} />
            </span>
            {grants.form.actions[action].name}
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed" className={classes.wrapped}>
        {words.limits(role)}
      </Text>
    </li>
  ))
}
