import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/texts.ts'
import classes from './RoleDifferences.module.css'
import { instancesQuery } from './roles.ts'

/** Warns if another instance on the same database has different roles: users can see other cameras there. */
export function RoleDifferences() {
  const { differences } = useTexts('roles').roles
  const { data: instances = [] } = useQuery(instancesQuery)
  const differing = instances.filter(({ role_differences: found }) => found.length > 0)
  if (differing.length === 0) return null

  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} role="status" title={differences.title}>
      <Text size="sm">{differences.lead}</Text>
      {differing.map(({ id, name, role_differences: found }) => (
        <div key={id} className={classes.instance}>
          <Text size="sm" fw={600}>
            {differences.instance({ name })}
          </Text>
          <ul className={classes.list}>
            {found.map(({ role, difference }) => (
              <li key={role}>{differences[difference]({ role })}</li>
            ))}
          </ul>
        </div>
      ))}
    </Alert>
  )
}
