import { Group, Text } from '@mantine/core'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { Card } from '../../../ui/Card.tsx'
import { providerHostOf } from '../../../users/provider-host.ts'
import { RoleBadge } from '../UserFacts.tsx'
import classes from '../UserFacts.module.css'

/** What the identity provider decides about a user, in place of the controls for it. */
export function ProviderOfUser({ user }: { user: UserResponse }) {
  const { users } = useTexts('users')
  const host = providerHostOf(user) ?? ''
  return (
    <Card title={users.provider.title} lead={users.provider.signsIn({ host })}>
      <Group gap="xs">
        <Text>{users.role}</Text>
        <RoleBadge role={user.role} />
      </Group>
      <Text>{users.provider.body({ host, name: user.username })}</Text>
      <dl className={classes.facts}>
        <dt>{users.provider.issuer}</dt>
        <dd>{user.provider?.issuer}</dd>
        <dt>{users.provider.subject}</dt>
        <dd>{user.provider?.subject}</dd>
      </dl>
    </Card>
  )
}
