import { Alert, Anchor, Button, Checkbox, Modal, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNarrow } from '../../ui/breakpoints.ts'
import { notifySuccess } from '../../ui/notify.ts'
import { ApiError, sendJson } from '../../api/api.ts'
import { messageOf, problemText } from '../../api/failure.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatList } from '../../ui/format-list.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { useForm } from '../../ui/useForm.ts'
import {
  changeSettings,
  isOvertaken,
  rolesListing,
  sameJson,
  settingsOf,
  type KnownSettings,
} from '../../cameras/camera-settings.ts'
import { ConnectionTest } from './ConnectionTest.tsx'
import { SourceField } from './SourceField.tsx'
import { UsedName } from './UsedName.tsx'
import { holdsPassword, placeholderFor, withPlaceholder } from './source.ts'

interface CameraFormProps {
  /** The camera to change; undefined for a new one. */
  readonly name: string | undefined
  readonly known: KnownSettings
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}

interface CameraValues {
  /** undefined: the stored source is kept. */
  readonly source: string | undefined
  readonly name: string
  readonly title: string
  readonly enabled: boolean
  /** The name for which inheriting was chosen; a different name asks again. */
  readonly inherits: string | undefined
  readonly keep_demo: boolean
}

function sendCamera(before: string | undefined, camera: CameraValues, ifMatch: string): Promise<Response> {
  const { source, name, enabled, inherits, keep_demo } = camera
  const body = {
    name,
    title: camera.title.trim() || null,
    enabled,
    ...(name !== before && { inherit: inherits === name }),
  }
  if (before === undefined) {
    return sendJson('POST /api/cameras', {}, { ...body, source: source?.trim() ?? '', keep_demo }, { ifMatch })
  }
  const change = { ...body, ...(source !== undefined && { source: source.trim() }) }
  return sendJson('PUT /api/cameras/:camera', { camera: before }, change, { ifMatch })
}

/** The service's problems with a camera: at the fields of the form, and all others. */
function reportedIn(error: Error, name: string) {
  const all = error instanceof ApiError ? (error.failure.problems ?? []) : []
  const own = `cameras.${name}`
  const paths = { name: own, source: `${own}.source`, title: `${own}.title`, enabled: `${own}.enabled` }
  const found = Object.entries(paths).flatMap(([field, path]) => {
    const problem = all.find((each) => each.field === path)
    return problem ? [[field, problem] as const] : []
  })
  const others = all.filter(({ field }) => !Object.values(paths).includes(field))
  return { atFields: Object.fromEntries(found), others }
}

/** Adds or changes a camera. */
export function CameraForm({ name: before, known, onClose, onSaved }: CameraFormProps) {
  useFocusBack()
  const texts = useTexts('cameras', 'config-problems')
  const { form: words } = texts.cameras
  const locale = useLocale()
  const narrow = useNarrow()
  // The settings when the form was opened, whatever others have changed since.
  const [opened] = useState(known)
  const was = before === undefined ? undefined : settingsOf(opened, before)
  const masked = was?.source_masked === true
  const nameProblem = ({ name, keep_demo }: CameraValues): string | undefined => {
    if (name === '') return words.nameMissing
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return words.nameWrong
    const taken = name !== before && settingsOf(known, name) && (!known.demo || keep_demo)
    return taken ? words.nameTaken : undefined
  }
  const { form, field, toggle, values, setFieldValue, error, sent, isPending, problems } = useForm<CameraValues, void>({
    initialValues: {
      source: masked ? undefined : (was?.source ?? ''),
      name: before ?? '',
      title: was?.title ?? '',
      enabled: was?.enabled ?? true,
      inherits: undefined,
      keep_demo: before !== undefined,
    },
    check: (camera) => ({
      source: camera.source?.trim() === '' ? words.sourceMissing : undefined,
      name: nameProblem(camera),
    }),
    send: async (camera) => {
      const unchanged = (now: KnownSettings): boolean =>
        now.demo === opened.demo && (before === undefined || sameJson(settingsOf(now, before), was))
      await changeSettings(opened, unchanged, (ifMatch) => sendCamera(before, camera, ifMatch))
      await onSaved()
    },
    onSuccess: (_sent, camera) => {
      const title = camera.title.trim() || camera.name
      notifySuccess(before === undefined ? words.added({ title }) : words.saved({ title }))
      onClose()
    },
    problemsIn: (error, { name }) => {
      if (isOvertaken(error)) return { whole: words.changedMeanwhile }
      const { reason } = error instanceof ApiError ? error.failure : {}
      if (reason?.code === 'camera-name-taken') return { name: words.nameTaken }
      const { atFields, others } = reportedIn(error, name)
      const shown = Object.entries(atFields).map(([field, problem]) => [field, problemText(problem, texts)])
      return shown.length + others.length > 0 ? Object.fromEntries(shown) : { whole: messageOf(error, texts) }
    },
  })
  const source = values.source ?? ''
  const { name } = values
  const others = error && sent && problems.whole === undefined ? reportedIn(error, sent.name).others : []
  const listing = before === undefined ? [] : rolesListing(known, before)
  const placeholder = placeholderFor(name)

  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={before === undefined ? words.add : words.edit({ title: was?.title || before })}
      size="lg"
      fullScreen={narrow}
      radius={narrow ? 0 : 'lg'}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <DialogForm form={{ ...form, autoComplete: 'off' }} isPending={isPending} submit={words.save} onCancel={onClose}>
        <SourceField {...field('source')} masked={masked ? was.source : undefined} />
        {holdsPassword(source) && (
          <Alert color="yellow" icon={<IconKey />} title={texts.cameras.secret.title}>
            <Stack gap="sm" align="flex-start">
              <Text size="sm">{texts.cameras.secret.body}</Text>
              <Button
                variant="default"
                size="sm"
                onClick={() => setFieldValue('source', withPlaceholder(source, placeholder))}
              >
                {texts.cameras.secret.use}
              </Button>
            </Stack>
          </Alert>
        )}
        {/\{SERVICE_/.test(source) && (
          <Text size="sm" c="dimmed">
            {texts.cameras.secret.how({ name: /\{(SERVICE_[A-Za-z0-9_]*)/.exec(source)?.[1] ?? placeholder })}
          </Text>
        )}
        <ConnectionTest key={values.source} of={values.source === undefined ? { camera: before ?? '' } : { source }} />
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
            onInherit={(inherit) => setFieldValue('inherits', inherit ? name : undefined)}
          />
        )}
        {name !== before && listing.length > 0 && (
          <Text size="sm">
            {words.nameChanged({
              roles: formatList(
                listing.map((role) => role.name),
                locale,
                String,
              ),
            })}
          </Text>
        )}
        <TextInput {...field('title')} label={words.title} description={words.titleHelp} autoComplete="off" />
        <Switch {...toggle('enabled')} label={words.enabled} description={words.enabledHelp} />
        {known.demo && before === undefined && <Checkbox {...toggle('keep_demo')} label={words.keepDemos} />}
        {(problems.whole !== undefined || others.length > 0) && (
          <Alert color="red" role="alert" title={problems.whole === undefined ? words.others : undefined}>
            {problems.whole}
            {others.map((problem) => (
              <Text size="sm" key={problem.field + problem.message}>
                <strong>{problem.field}</strong> {problemText(problem, texts)}
              </Text>
            ))}
            {problems.whole === undefined && (
              <Anchor component={Link} to="/settings/config" size="sm">
                {texts.cameras.openConfig}
              </Anchor>
            )}
          </Alert>
        )}
      </DialogForm>
    </Modal>
  )
}
