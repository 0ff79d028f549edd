import { Select } from '@mantine/core'
import { messageOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './AccessPage.module.css'

export interface TryProps<Tried> {
  readonly onTry: (body: Tried) => void
  readonly onEmpty: () => void
}

interface TryCredentialProps {
  readonly label: string
  readonly hint: string
  /** Shown if there is nothing to choose. */
  readonly none: string
  readonly query: { readonly isPending: boolean; readonly error: Error | null }
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChoose: (id: string) => void
  readonly onEmpty: () => void
}

/** Chooses a credential whose access is previewed. */
export function TryCredential({ label, hint, none, query, choices, onChoose, onEmpty }: TryCredentialProps) {
  const texts = useTexts('access')
  return (
    <Select
      className={classes.user}
      label={label}
      description={hint}
      error={query.error && messageOf(query.error, texts)}
      disabled={query.isPending}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': texts.access.clear }}
      nothingFoundMessage={none}
      data={choices}
      onChange={(id) => (id === null ? onEmpty() : onChoose(id))}
    />
  )
}
