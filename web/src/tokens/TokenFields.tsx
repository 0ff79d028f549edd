import { Checkbox, Input, Stack, Switch, Text } from '@mantine/core'
import { useId } from 'react'
import { useTitles } from '../cameras/useTitles.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMe } from '../session/session.ts'
import { cameraActions } from '../users/role-keys.ts'
import { serviceActionsIn } from './token-form.ts'
import classes from './TokenFields.module.css'
import { useActionNames } from './useActionNames.ts'

interface ListFieldProps {
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  readonly error: string | undefined
}

interface CamerasFieldProps extends ListFieldProps {
  readonly all: boolean
  readonly onAll: (all: boolean) => void
}

/** All cameras of the user, or some of them. */
export function CamerasField({ all, onAll, ...list }: CamerasFieldProps) {
  const { form } = useTexts('tokens').tokens
  const { allowed_cameras: names } = useMe()
  const titleOf = useTitles()
  return (
    <Stack>
      <Switch
        name="all"
        label={form.all}
        description={form.allHint}
        checked={all}
        onChange={(event) => onAll(event.currentTarget.checked)}
      />
      {!all && (
        <CheckList
          {...list}
          name="cameras"
          label={form.some}
          choices={names.map((name) => ({ value: name, label: titleOf(name) }))}
        />
      )}
    </Stack>
  )
}

/** The user's actions on cameras, and for admins those on the service. */
export function ActionsField({ value, onChange, error }: ListFieldProps) {
  const { grants, tokens } = useTexts('grants', 'tokens')
  const { actions } = useMe()
  const nameOf = useActionNames()
  const service = serviceActionsIn(actions)
  const onCameras = cameraActions
    .filter((action) => actions.includes(action))
    .map((action) => ({
      value: action,
      label: grants.form.actions[action].name,
      hint: grants.form.actions[action].hint,
    }))
  return (
    <Stack>
      <CheckList
        name="actions"
        label={tokens.form.onCameras}
        choices={onCameras}
        value={value}
        onChange={onChange}
        error={error}
      />
      {service.length > 0 && (
        <details className={classes.more} open={service.some((action) => value.includes(action))}>
          <summary>{tokens.form.onService}</summary>
          <Text size="sm" c="dimmed" mt={4} mb="sm">
            {tokens.form.onServiceLead}
          </Text>
          <CheckList
            name="service_actions"
            label={tokens.form.onService}
            choices={service.map((action) => ({ value: action, label: nameOf(action), hint: action }))}
            value={value}
            onChange={onChange}
            error={undefined}
          />
        </details>
      )}
    </Stack>
  )
}

interface CheckListProps extends ListFieldProps {
  readonly name: string
  readonly label: string
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[]
}

function CheckList({ name, label, choices, value, onChange, error }: CheckListProps) {
  const problem = useId()
  const turn = (choice: string, on: boolean) =>
    onChange(on ? [...value, choice] : value.filter((each) => each !== choice))
  return (
    <div role="group" aria-label={label} aria-describedby={error === undefined ? undefined : problem}>
      <div className={classes.choices}>
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            name={name}
            label={choice.label}
            description={choice.hint}
            checked={value.includes(choice.value)}
            onChange={(event) => turn(choice.value, event.currentTarget.checked)}
            {...(error !== undefined && { 'aria-invalid': true })}
          />
        ))}
      </div>
      {error !== undefined && (
        <Input.Error id={problem} mt="xs">
          {error}
        </Input.Error>
      )}
    </div>
  )
}
