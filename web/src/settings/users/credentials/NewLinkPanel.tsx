import { Button, Group, Stack, Text } from '@mantine/core'
import type { CreatedLink } from '../../../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { moment } from '../../../lib/format-time.ts'
import { ToCopy } from './ToCopy.tsx'
import classes from './ToCopy.module.css'

export interface NewLink extends CreatedLink {
  /** Who gets it; null: someone without a name yet. */
  readonly for: string | null
}

/** A one-time link to hand over; shown only this once. */
export function NewLinkPanel({ link: { url, expires_at, for: name }, onDone }: { link: NewLink; onDone: () => void }) {
  const { users } = useTexts('users')
  const locale = useLocale()
  const when = moment(Date.parse(expires_at), locale)
  return (
    <Stack>
      <Text role="status">{name === null ? users.links.give({ when }) : users.links.giveTo({ name, when })}</Text>
      <dl className={classes.list}>
        <ToCopy main term={users.links.link} value={url} copy={users.links.copy} />
      </dl>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {users.done}
        </Button>
      </Group>
    </Stack>
  )
}
