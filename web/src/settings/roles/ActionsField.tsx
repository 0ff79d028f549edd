import { Checkbox, Input } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { cameraActions, type CameraAction } from '../../users/role-keys.ts'
import classes from './RoleFields.module.css'

interface ActionsFieldProps {
  readonly value: readonly CameraAction[]
  readonly onChange: (allow: readonly CameraAction[]) => void
  readonly error: string | undefined
}

/** A checkbox for each action, with what it means. */
export function ActionsField({ value, onChange, error }: ActionsFieldProps) {
  const { form } = useTexts('grants').grants
  const turn = (action: CameraAction, on: boolean) =>
    onChange(cameraActions.filter((each) => (each === action ? on : value.includes(each))))
  return (
    <>
      <div role="group" aria-label={form.actionsTitle} className={classes.actions}>
        {cameraActions.map((action) => (
          <Checkbox
            key={action}
            name="allow"
            label={form.actions[action].name}
            description={form.actions[action].hint}
            checked={value.includes(action)}
            onChange={(event) => turn(action, event.currentTarget.checked)}
          />
        ))}
      </div>
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </>
  )
}
