import { Alert, Anchor, Button, Checkbox, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { problemText } from '../../api/failure.ts'
import { rolesListing, settingsOf } from '../../cameras/camera-settings.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { useNarrow } from '../../ui/breakpoints.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../ui/forms/DialogForm.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { formatList } from '../../lib/format-list.ts'
import { ConnectionTest } from './ConnectionTest.tsx'
import { containsPassword, placeholderFor, withPlaceholder } from './source.ts'
import { SourceField } from './SourceField.tsx'
import { useCameraForm, type CameraFormProps } from './useCameraForm.ts'
import { UsedName } from './UsedName.tsx'

/** Adds or changes a camera. */
export function CameraForm(props: CameraFormProps) {
  const { name: before, known, onClose } = props
  const texts = useTexts('cameras', 'config-problems')
  const { form: words } = texts.cameras
  const isNarrow = useNarrow()
  const { form, field, toggle, values, setFieldValue, changeTitle, setAsked, ...rest } = useCameraForm(props)
  const { isPending, problems, error, title, masked, others } = rest
  const { name, source } = values

  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={title === undefined ? words.add : words.edit({ title })}
      size="lg"
      fullScreen={isNarrow}
      radius={isNarrow ? 0 : 'lg'}
    >
      <DialogForm form={{ ...form, autoComplete: 'off' }} isPending={isPending} submit={words.save} onCancel={onClose}>
        <SourceField {...field('source')} masked={masked} />
        <PasswordAdvice name={name} source={source ?? ''} onSource={(next) => setFieldValue('source', next)} />
        <ConnectionTest of={source === undefined ? { camera: before ?? '' } : { source }} />
        <TextInput
          {...field('title')}
          onChange={(event) => changeTitle(event.currentTarget.value)}
          label={words.title}
          description={words.titleHelp}
          autoComplete="off"
        />
        <TextInput
          {...field('name')}
          label={words.name}
          description={words.nameHelp}
          required
          withAsterisk={false}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
        />
        {name !== before && settingsOf(known, name) === undefined && (
          <UsedName
            name={name}
            inherit={values.inherits === name}
            onAsked={setAsked}
            onInherit={(inherit) => setFieldValue('inherits', inherit ? name : undefined)}
          />
        )}
        {before !== undefined && name !== before && <RolesToChange known={known} camera={before} />}
        <Switch {...toggle('enabled')} label={words.enabled} description={words.enabledHelp} />
        {known.demo && before === undefined && <Checkbox {...toggle('keep_demo')} label={words.keepDemos} />}
        <FormProblem
          of={problems.whole}
          error={error}
          others={others.map((problem) => ({ ...problem, message: problemText(problem, texts) }))}
          othersTitle={words.others}
        >
          <Anchor component={Link} to="/settings/config" size="sm">
            {texts.cameras.openConfig}
          </Anchor>
        </FormProblem>
      </DialogForm>
    </Dialog>
  )
}

interface PasswordAdviceProps {
  /** The camera's name, after which the placeholder is named. */
  readonly name: string
  readonly source: string
  readonly onSource: (source: string) => void
}

/** Offers to replace a password in the source by a placeholder, and says how to fill one in. */
function PasswordAdvice({ name, source, onSource }: PasswordAdviceProps) {
  const { secret } = useTexts('cameras').cameras
  const placeholder = placeholderFor(name)
  return (
    <>
      {containsPassword(source) && (
        <Alert color="yellow" icon={<IconKey />} title={secret.title}>
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{secret.body}</Text>
            <Button variant="default" size="sm" onClick={() => onSource(withPlaceholder(source, placeholder))}>
              {secret.use}
            </Button>
          </Stack>
        </Alert>
      )}
      {/\{SERVICE_/.test(source) && (
        <Text size="sm" c="dimmed">
          {secret.how({ name: /\{(SERVICE_[A-Za-z0-9_]*)/.exec(source)?.[1] ?? placeholder })}
        </Text>
      )}
    </>
  )
}

/** Says which roles list a camera under the name that it's about to lose. */
function RolesToChange({ known, camera }: Pick<CameraFormProps, 'known'> & { readonly camera: string }) {
  const texts = useTexts('cameras', 'roles')
  const locale = useLocale()
  const roles = rolesListing(known, camera).map(({ name }) => name)
  if (roles.length === 0) return null
  const list = formatList(roles, locale, texts.roles.more)
  return <Text size="sm">{texts.cameras.form.nameChanged({ roles: list })}</Text>
}
