import { Alert, Anchor, NumberInput, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { ApiError, sendJson } from '../../api/api.ts'
import { messageOf, problemText } from '../../api/failure.ts'
import { useLocale, useTexts, type Texts } from '../../i18n/texts.ts'
import { changeSettings, isOvertaken, sameJson, settingsOf, type KnownSettings } from '../../cameras/camera-settings.ts'
import { DialogForm } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { useForm } from '../../ui/forms/useForm.ts'
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

interface LimitsValues {
  readonly retain_days: Typed
  readonly max_gb: Typed
  readonly enabled: boolean
  readonly only_motion: boolean
}

/** Without a camera, both numbers have been checked to be there. */
function sendLimits(camera: string | undefined, values: LimitsValues, ifMatch: string): Promise<Response> {
  const { enabled } = values
  if (camera === undefined) {
    const limits = { enabled, retain_days: Number(values.retain_days), max_gb: Number(values.max_gb) }
    return sendJson('PUT /api/recordings/limits', {}, limits, { ifMatch })
  }
  const limits = {
    enabled,
    mode: values.only_motion ? 'motion' : 'all',
    retain_days: numberIn(values.retain_days),
    max_gb: numberIn(values.max_gb),
  } as const
  return sendJson('PUT /api/cameras/:camera/recording-limits', { camera }, limits, { ifMatch })
}

/** What the form says about rejected limits. */
function problemsWith(
  error: Error,
  camera: string | undefined,
  texts: Texts<'cameras' | 'config-problems' | 'storage'>,
) {
  if (isOvertaken(error)) return { whole: texts.storage.form.changedMeanwhile }
  const own = camera === undefined ? 'recording' : `cameras.${camera}.record`
  const all = error instanceof ApiError ? (error.failure.problems ?? []) : []
  const at = (name: string) => all.find((problem) => problem.field === `${own}.${name}`)
  const [days, gigabytes, first] = [at('retain_days'), at('max_gb'), all[0]]
  if (days || gigabytes) {
    return { retain_days: days && problemText(days, texts), max_gb: gigabytes && problemText(gigabytes, texts) }
  }
  return { whole: first ? texts.label({ what: first.field }) + problemText(first, texts) : messageOf(error, texts) }
}

/** Changes retention and size limits, for one camera or for all. */
export function LimitsForm({ camera, title, known, onClose, onSaved }: LimitsFormProps) {
  const texts = useTexts('cameras', 'config-problems', 'storage')
  const { form: words } = texts.storage
  const locale = useLocale()
  // The settings when the form was opened, whatever others have changed since.
  const [opened] = useState(known)
  const was = limitsIn(opened, camera) ?? opened.recording
  const ofAll = camera === undefined
  const { form, field, toggle, error, isPending, problems } = useForm<LimitsValues, void>({
    initialValues: {
      retain_days: typed(was.retain_days),
      max_gb: typed(was.max_gb),
      enabled: was.enabled,
      only_motion: 'mode' in was && was.mode === 'motion',
    },
    check: ({ retain_days, max_gb }) => ({
      retain_days: ofAll && retain_days === '' ? words.daysMissing : undefined,
      max_gb: (ofAll || max_gb !== '') && !(Number(max_gb) > 0) ? words.gigabytesMissing : undefined,
    }),
    send: async (values) => {
      await changeSettings(
        opened,
        (now) => sameJson(limitsIn(now, camera), was),
        (ifMatch) => sendLimits(camera, values, ifMatch),
      )
      await onSaved()
    },
    onSuccess: () => {
      notifySuccess(words.saved)
      onClose()
    },
    problemsIn: (error) => problemsWith(error, camera, texts),
  })

  return (
    <FormDialog opened onClose={onClose} title={ofAll ? words.titleAll : words.title({ title: title ?? camera })}>
      <DialogForm form={form} isPending={isPending} submit={texts.cameras.form.save} onCancel={onClose}>
        <Switch
          {...toggle('enabled')}
          label={ofAll ? words.enabledAll : words.enabled}
          description={words.enabledHelp}
        />
        {!ofAll && <Switch {...toggle('only_motion')} label={words.onlyMotion} description={words.onlyMotionHelp} />}
        <NumberInput
          {...field('retain_days')}
          label={words.days}
          description={ofAll ? words.daysHelp : words.daysHelpOne({ days: days(known.recording.retain_days, locale) })}
          min={0}
          max={36_500}
          hideControls
          data-autofocus
        />
        <NumberInput
          {...field('max_gb')}
          label={words.gigabytes}
          description={ofAll ? words.gigabytesHelp : words.gigabytesHelpOne}
          min={0}
          hideControls
        />
        <Alert color="yellow">{words.applied}</Alert>
        <FormProblem of={problems.whole} error={error} />
        {error && (
          <Anchor component={Link} to="/settings/config" size="sm">
            {texts.cameras.openConfig}
          </Anchor>
        )}
      </DialogForm>
    </FormDialog>
  )
}
