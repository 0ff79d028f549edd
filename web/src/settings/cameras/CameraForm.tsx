import { Alert, Anchor, Button, Checkbox, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type SubmitEvent } from 'react'
import { notifySuccess } from '../../ui/notify.ts'
import { ApiError, send } from '../../api/api.ts'
import type { ProblemResponse } from '../../../../server/src/api-types.ts'
import { messageOf, problemText } from '../../api/failure.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatList } from '../../ui/format-list.ts'
import { useFocusBack } from '../../ui/useFocusBack.ts'
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

interface Problems {
  readonly name?: string | undefined
  readonly source?: string | undefined
  readonly title?: string | undefined
  readonly enabled?: string | undefined
  /** An error that concerns none of the fields above. */
  readonly whole?: string | undefined
  readonly others?: readonly ProblemResponse[]
}

/** Adds or changes a camera. */
export function CameraForm({ name: before, known, onClose, onSaved }: CameraFormProps) {
  useFocusBack()
  const texts = useTexts('cameras', 'config-problems')
  const { form } = texts.cameras
  const locale = useLocale()
  const narrow = useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false })
  const fields = useRef<HTMLFormElement>(null)
  // The settings when the form was opened, whatever others have changed since.
  const [opened] = useState(known)
  const was = before === undefined ? undefined : settingsOf(opened, before)
  const masked = was?.source_masked === true
  const [name, setName] = useState(before ?? '')
  const [entry, setEntry] = useState({
    source: masked ? '' : (was?.source ?? ''),
    title: was?.title ?? '',
    enabled: was?.enabled ?? true,
  })
  const [keepDemos, setKeepDemos] = useState(before !== undefined)
  /** The name for which inheriting was chosen; a different name asks again. */
  const [inherits, setInherits] = useState<string>()
  const [keepSource, setKeepSource] = useState(masked)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)

  const change = (next: Partial<typeof entry>) => setEntry((now) => ({ ...now, ...next }))
  const title = entry.title.trim() || name
  const listing = before === undefined ? [] : rolesListing(known, before)
  const placeholder = placeholderFor(name)

  const missing = (): Problems => ({
    source: !keepSource && entry.source.trim() === '' ? form.sourceMissing : undefined,
    name: nameProblem(),
  })
  const nameProblem = (): string | undefined => {
    if (name === '') return form.nameMissing
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return form.nameWrong
    const taken = name !== before && settingsOf(known, name) && (!known.demo || keepDemos)
    return taken ? form.nameTaken : undefined
  }
  const show = (found: Problems) => {
    setProblems(found)
    const first = (['source', 'name', 'title', 'enabled'] as const).find((field) => found[field] !== undefined)
    if (first) fields.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }

  const unchanged = (now: KnownSettings): boolean =>
    now.demo === opened.demo && (before === undefined || sameJson(settingsOf(now, before), was))
  const submit = (ifMatch: string): Promise<unknown> => {
    const body = {
      name,
      title: entry.title.trim() || null,
      enabled: entry.enabled,
      ...(!keepSource && { source: entry.source.trim() }),
      ...(name !== before && { inherit: inherits === name }),
    }
    return before === undefined
      ? send('api/cameras', { method: 'POST', ifMatch, body: { ...body, keep_demo: keepDemos } })
      : send(`api/cameras/${encodeURIComponent(before)}`, { method: 'PUT', ifMatch, body })
  }

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = missing()
    show(found)
    if (found.source !== undefined || found.name !== undefined) return
    setBusy(true)
    try {
      await changeSettings(opened, unchanged, submit)
      await onSaved()
      notifySuccess(before === undefined ? form.added({ title }) : form.saved({ title }))
      onClose()
    } catch (error) {
      show(problemsIn(error))
    } finally {
      setBusy(false)
    }
  }

  const problemsIn = (error: unknown): Problems => {
    if (isOvertaken(error)) return { whole: form.changedMeanwhile }
    const { reason, problems: all = [] } = error instanceof ApiError ? error.failure : {}
    if (reason?.code === 'camera-name-taken') return { name: form.nameTaken }
    const own = `cameras.${name}`
    const fields = { name: own, source: `${own}.source`, title: `${own}.title`, enabled: `${own}.enabled` }
    const reported = Object.entries(fields).flatMap(([field, path]) => {
      const problem = all.find((each) => each.field === path)
      return problem ? [[field, problemText(problem, texts)] as const] : []
    })
    const others = all.filter(({ field }) => !Object.values(fields).includes(field))
    return {
      ...Object.fromEntries(reported),
      others,
      whole: reported.length + others.length > 0 ? undefined : messageOf(error, texts),
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={before === undefined ? form.add : form.edit({ title: was?.title || before })}
      size="lg"
      fullScreen={narrow}
      radius={narrow ? 0 : 'lg'}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <form ref={fields} onSubmit={(event) => void save(event)} noValidate autoComplete="off">
        <Stack>
          <SourceField
            value={keepSource ? undefined : entry.source}
            masked={masked ? was.source : undefined}
            problem={problems.source}
            onChange={(source) => {
              setKeepSource(source === undefined)
              change({ source: source ?? '' })
            }}
          />
          {holdsPassword(entry.source) && (
            <Alert color="yellow" icon={<IconKey />} title={texts.cameras.secret.title}>
              <Stack gap="sm" align="flex-start">
                <Text size="sm">{texts.cameras.secret.body}</Text>
                <Button
                  variant="default"
                  size="sm"
                  onClick={() => change({ source: withPlaceholder(entry.source, placeholder) })}
                >
                  {texts.cameras.secret.use}
                </Button>
              </Stack>
            </Alert>
          )}
          {/\{SERVICE_/.test(entry.source) && (
            <Text size="sm" c="dimmed">
              {texts.cameras.secret.how({ name: /\{(SERVICE_[A-Za-z0-9_]*)/.exec(entry.source)?.[1] ?? placeholder })}
            </Text>
          )}
          <ConnectionTest
            key={keepSource ? undefined : entry.source}
            of={keepSource ? { camera: before ?? '' } : { source: entry.source }}
          />
          <TextInput
            name="name"
            label={form.name}
            description={form.nameHelp}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            error={problems.name}
            required
            withAsterisk={false}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
          />
          {name !== before && settingsOf(known, name) === undefined && (
            <UsedName
              name={name}
              inherit={inherits === name}
              onInherit={(inherit) => setInherits(inherit ? name : undefined)}
            />
          )}
          {name !== before && listing.length > 0 && (
            <Text size="sm">
              {form.nameChanged({
                roles: formatList(
                  listing.map((role) => role.name),
                  locale,
                  String,
                ),
              })}
            </Text>
          )}
          <TextInput
            name="title"
            label={form.title}
            description={form.titleHelp}
            value={entry.title}
            onChange={({ currentTarget: { value } }) => change({ title: value })}
            error={problems.title}
            autoComplete="off"
          />
          <Switch
            name="enabled"
            label={form.enabled}
            description={form.enabledHelp}
            checked={entry.enabled}
            onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
            error={problems.enabled}
          />
          {known.demo && before === undefined && (
            <Checkbox
              label={form.keepDemos}
              checked={keepDemos}
              onChange={({ currentTarget: { checked } }) => setKeepDemos(checked)}
            />
          )}
          {(problems.whole !== undefined || (problems.others?.length ?? 0) > 0) && (
            <Alert color="red" role="alert" title={problems.whole === undefined ? form.others : undefined}>
              {problems.whole}
              {problems.others?.map((problem) => (
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {form.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
