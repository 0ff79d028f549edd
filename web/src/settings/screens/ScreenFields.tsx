import { Checkbox, Input, NativeSelect, NumberInput, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import { NameField } from '../../ui/forms/DialogForm.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import type { FieldProps, useForm } from '../../ui/forms/useForm.ts'
import { halfHours, rotates, timeText, upTo, type ScreenValues } from './screen-form.ts'
import classes from './ScreensPage.module.css'

type ScreenForm = Pick<
  ReturnType<typeof useForm<ScreenValues, unknown>>,
  'field' | 'toggle' | 'values' | 'problems' | 'error'
> & {
  readonly setFieldValue: (name: 'cameras', cameras: readonly string[]) => void
}

/** The fields of a screen: what it is called, and what it shows. */
export function ScreenFields({ of: { field, toggle, values, problems, error, setFieldValue } }: { of: ScreenForm }) {
  const { form } = useTexts('screens').screens
  return (
    <>
      <FormProblem of={problems.whole} error={error} />
      <NameField {...field('name')} label={form.name} description={form.nameHint} />
      <CamerasField
        value={values.cameras}
        onChange={(cameras) => setFieldValue('cameras', cameras)}
        error={problems.cameras}
      />
      <div className={classes.row}>
        <NativeSelect
          {...field('columns')}
          label={form.columns}
          data={[{ value: '', label: form.automatic }, ...upTo(8, values.columns)]}
        />
        <NativeSelect
          {...field('cameras_per_page')}
          label={form.perPage}
          data={[{ value: '', label: form.all }, ...upTo(16, values.cameras_per_page)]}
        />
      </div>
      {rotates(values) && (
        <NumberInput
          {...field('rotate_seconds')}
          label={form.rotate}
          min={5}
          max={3600}
          clampBehavior="none"
          allowDecimal={false}
          hideControls
        />
      )}
      <Switch {...toggle('audio')} label={form.audio} description={form.audioHint} />
      <Switch {...toggle('dims')} label={form.dim} description={form.dimHint} />
      {values.dims && (
        <div className={classes.row}>
          <TimeField {...field('from')} label={form.from} />
          <TimeField {...field('until')} label={form.until} />
        </div>
      )}
    </>
  )
}

/** A time of day in steps of half an hour, and the one that another client chose. */
function TimeField({ value, ...props }: FieldProps<string> & { readonly label: string }) {
  const locale = useLocale()
  const times = [...new Set([...halfHours, value])].sort()
  return (
    <NativeSelect
      {...props}
      value={value}
      data={times.map((time) => ({ value: time, label: timeText(time, locale) }))}
    />
  )
}

interface CamerasFieldProps {
  readonly value: readonly string[]
  readonly onChange: (cameras: readonly string[]) => void
  readonly error: string | undefined
}

/** The cameras, which the screen shows in the order in which they were chosen. */
function CamerasField({ value, onChange, error }: CamerasFieldProps) {
  const { list } = useTexts('screens').screens
  const found = loadOf(useQuery(camerasQuery))
  const cameras = found.state === 'ready' ? found.value : []
  const label = useId()
  const problem = useId()
  const toggle = (name: string, on: boolean) => onChange(on ? [...value, name] : value.filter((each) => each !== name))
  return (
    <div role="group" aria-labelledby={label} aria-describedby={error === undefined ? undefined : problem}>
      <Input.Label component="div" id={label}>
        {list.cameras}
      </Input.Label>
      <div className={classes.cameras}>
        {cameras.map((camera) => (
          <Checkbox
            key={camera.name}
            name="cameras"
            label={titleOf(camera)}
            checked={value.includes(camera.name)}
            onChange={(event) => toggle(camera.name, event.currentTarget.checked)}
            {...(error !== undefined && { 'aria-invalid': true })}
          />
        ))}
      </div>
      {found.state === 'failed' && <FailedPart error={found.error} again={found.again} />}
      {error !== undefined && <Input.Error id={problem}>{error}</Input.Error>}
    </div>
  )
}
