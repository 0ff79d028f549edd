import { Alert, Anchor, Button, Group, NumberInput, Stack, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { notifySuccess } from '../../ui/notify.ts'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { ApiError, send } from '../../api/api.ts'
import { messageOf, problemText } from '../../api/failure.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { changeSettings, isOvertaken, sameJson, settingsOf, type KnownSettings } from '../../cameras/camera-settings.ts'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { days } from './days.ts'

interface LimitsFormProps {
  /** undefined: the limits of all cameras together. */
  readonly camera: string | undefined
  readonly title: string | undefined
  readonly known: KnownSettings
  readonly onClose: () => void
  readonly onSaved: () => Promise<unknown>
}

/** A number field's value; an empty string if nothing is entered. */
type Typed = string | number
const typed = (value: number | null): Typed => value ?? ''
const numberIn = (value: Typed): number | null => (value === '' ? null : Number(value))

const limitsIn = (known: KnownSettings, camera: string | undefined) =>
  camera === undefined ? known.recording : settingsOf(known, camera)?.record

const pathOf = (camera: string | undefined): string =>
  camera === undefined ? 'api/recordings/limits' : `api/cameras/${encodeURIComponent(camera)}/recording-limits`

/** Changes how long and how much is recorded, for one camera or for all. */
export function LimitsForm({ camera, title, known, onClose, onSaved }: LimitsFormProps) {
  useFocusBack()
  const texts = useTexts('cameras', 'config-problems', 'storage')
  const { form } = texts.storage
  const locale = useLocale()
  // The settings when the form was opened, whatever others have changed since.
  const [opened] = useState(known)
  const was = limitsIn(opened, camera) ?? opened.recording
  const [enabled, setEnabled] = useState(was.enabled)
  const [onlyMotion, setOnlyMotion] = useState('mode' in was && was.mode === 'motion')
  const [keptDays, setDays] = useState(typed(was.retain_days))
  const [gigabytes, setGigabytes] = useState(typed(was.max_gb))
  const [problems, setProblems] = useState<{ days?: string; gigabytes?: string; whole?: string }>({})
  const [busy, setBusy] = useState(false)
  const ofAll = camera === undefined

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const limits = {
      enabled,
      retain_days: numberIn(keptDays),
      max_gb: numberIn(gigabytes),
      ...(ofAll ? {} : { mode: onlyMotion ? 'motion' : 'all' }),
    }
    const missing = {
      ...(ofAll && limits.retain_days === null && { days: form.daysMissing }),
      ...((ofAll || limits.max_gb !== null) && !(Number(limits.max_gb) > 0) && { gigabytes: form.gigabytesMissing }),
    }
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      await changeSettings(
        opened,
        (now) => sameJson(limitsIn(now, camera), was),
        (ifMatch) => send(pathOf(camera), { method: 'PUT', ifMatch, body: limits }),
      )
      await onSaved()
      notifySuccess(form.saved)
      onClose()
    } catch (error) {
      setProblems({ whole: problemOf(error) })
    } finally {
      setBusy(false)
    }
  }

  const problemOf = (error: unknown): string => {
    if (isOvertaken(error)) return form.changedMeanwhile
    const [first] = error instanceof ApiError ? (error.failure.problems ?? []) : []
    return first ? `${first.field}: ${problemText(first, texts)}` : messageOf(error, texts)
  }

  return (
    <FormDialog opened onClose={onClose} title={ofAll ? form.titleAll : form.title({ title: title ?? camera })}>
      <form onSubmit={(event) => void save(event)} noValidate>
        <Stack>
          <Switch
            label={ofAll ? form.enabledAll : form.enabled}
            description={form.enabledHelp}
            checked={enabled}
            onChange={({ currentTarget: { checked } }) => setEnabled(checked)}
          />
          {!ofAll && (
            <Switch
              label={form.onlyMotion}
              description={form.onlyMotionHelp}
              checked={onlyMotion}
              onChange={({ currentTarget: { checked } }) => setOnlyMotion(checked)}
            />
          )}
          <NumberInput
            label={form.days}
            description={ofAll ? form.daysHelp : form.daysHelpOne({ days: days(known.recording.retain_days, locale) })}
            value={keptDays}
            onChange={setDays}
            min={0}
            max={36_500}
            error={problems.days}
            hideControls
            data-autofocus
          />
          <NumberInput
            label={form.gigabytes}
            description={ofAll ? form.gigabytesHelp : form.gigabytesHelpOne}
            value={gigabytes}
            onChange={setGigabytes}
            min={0}
            error={problems.gigabytes}
            hideControls
          />
          <Alert color="blue">{form.applied}</Alert>
          <FormProblem of={problems.whole} />
          {problems.whole !== undefined && (
            <Anchor component={Link} to="/settings/config" size="sm">
              {texts.cameras.openConfig}
            </Anchor>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {texts.cameras.form.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
