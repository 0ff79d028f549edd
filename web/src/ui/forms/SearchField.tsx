import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

interface SearchFieldProps extends Pick<TextInputProps, 'className' | 'size'> {
  /** The accessible name and the placeholder. */
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A field that filters a list while the user types. */
export const SearchField = ({ label, onChange, ...field }: SearchFieldProps) => (
  <TextInput
    {...field}
    type="search"
    leftSection={<IconSearch size={18} aria-hidden />}
    aria-label={label}
    placeholder={label}
    // As much as the URL keeps.
    maxLength={256}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
