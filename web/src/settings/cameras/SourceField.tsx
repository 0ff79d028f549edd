import { Button, Group, TextInput } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import type { FieldProps } from '../../ui/forms/useForm.ts'
import classes from './CamerasPage.module.css'

/** Its value is undefined if the stored source is kept. */
interface SourceFieldProps extends FieldProps<string | undefined> {
  /** The stored source with its password masked; undefined if it needs no mask. */
  readonly masked: string | undefined
}

/** A camera's source. A stored source that can contain a password can only be replaced, not edited. */
export function SourceField({ name, value, masked, error, onChange }: SourceFieldProps) {
  const { form } = useTexts('cameras').cameras
  const kept = value === undefined
  return (
    <Group align="flex-end" gap="sm" className={classes.sourceField}>
      <TextInput
        key={kept ? 'kept' : 'new'}
        name={name}
        label={form.source}
        description={kept ? form.sourceMasked : form.sourceHelp}
        value={value ?? masked ?? ''}
        readOnly={kept}
        onChange={onChange}
        error={error}
        required={!kept}
        withAsterisk={false}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        data-autofocus
        // eslint-disable-next-line jsx-a11y/no-autofocus -- "Replace" moves the focus to the field that it opens.
        autoFocus={masked !== undefined && !kept}
      />
      {masked !== undefined && (
        <Button variant="default" onClick={() => onChange(kept ? '' : undefined)}>
          {kept ? form.sourceReplace : form.sourceKeep}
        </Button>
      )}
    </Group>
  )
}
