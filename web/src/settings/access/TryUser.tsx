import { Select, type ComboboxItem } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { useSuggestedUsers } from '../../users/useSuggestedUsers.ts'
import { providerHostOf } from '../../users/provider-host.ts'
import classes from './AccessPage.module.css'
import { nameOf } from './effective-access.ts'
import type { TryProps } from './TryCredential.tsx'

/** Chooses a user in the database. */
export function TryUser({ onTry, onEmpty }: TryProps<{ readonly user: string }>) {
  const { access } = useTexts('access')
  const [typed, setTyped] = useState('')
  const [user, setUser] = useState<ComboboxItem | null>(null)
  const suggested = useSuggestedUsers(typed === user?.label ? '' : typed, 50).map((each) => ({
    value: each.key,
    label: nameOf({ name: each.username, host: providerHostOf(each) }, access),
  }))
  // The chosen user stays in the list, whatever is typed next.
  const choices = !user || suggested.some(({ value }) => value === user.value) ? suggested : [user, ...suggested]
  return (
    <Select
      className={classes.user}
      label={access.user}
      description={access.userHint}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': access.clear }}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={access.noUser}
      data={choices}
      value={user?.value ?? null}
      onChange={(key, chosen) => {
        setUser(chosen)
        if (key === null) onEmpty()
        else onTry({ user: key })
      }}
    />
  )
}
