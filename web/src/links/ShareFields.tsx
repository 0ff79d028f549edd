import { NativeSelect, NumberInput, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../i18n/texts.ts'
import { useNow } from '../lib/useNow.ts'
import { useCan } from '../session/session.ts'
import type { useForm } from '../ui/forms/useForm.ts'
import classes from './ShareFields.module.css'
import { customExpiry, longestNote, offeredHours, type ShareTarget, type ShareValues } from './share-form.ts'

interface ShareFieldsProps extends Pick<
  ReturnType<typeof useForm<ShareValues, unknown>>,
  'field' | 'toggle' | 'values' | 'setFieldValue'
> {
  readonly kind: ShareTarget['kind']
  /** `share.max_hours`. */
  readonly maxHours: number
}

/** What a share link allows, and until when. */
export function ShareFields({ field, toggle, values, setFieldValue, kind, maxHours }: ShareFieldsProps) {
  const { form } = useTexts('links').links
  const mayHear = useCan('audio')
  const mayDownload = useCan('download') && kind !== 'live'
  return (
    <>
      <ExpiryFields field={field} values={values} setFieldValue={setFieldValue} maxHours={maxHours} />
      {(mayHear || mayDownload) && (
        <Stack gap="sm">
          {mayHear && <Switch {...toggle('audio')} label={form.audio} />}
          {mayDownload && <Switch {...toggle('download')} label={form.download} />}
        </Stack>
      )}
      <Textarea
        {...field('note')}
        label={form.note}
        description={form.noteHint}
        maxLength={longestNote}
        autosize
        minRows={1}
        maxRows={4}
      />
      <TextInput
        {...field('code')}
        label={form.code}
        description={form.codeHint}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className={classes.pair}>
        <NumberInput
          {...field('max_opens')}
          label={form.maxOpens}
          placeholder={form.noLimit}
          min={1}
          allowDecimal={false}
          hideControls
        />
        <NumberInput
          {...field('max_viewers')}
          label={form.maxViewers}
          placeholder={form.noLimit}
          min={1}
          allowDecimal={false}
          hideControls
        />
      </div>
    </>
  )
}

/** When the link expires: after some hours, or at a time. */
function ExpiryFields({
  field,
  values,
  setFieldValue,
  maxHours,
}: Pick<ShareFieldsProps, 'field' | 'values' | 'setFieldValue' | 'maxHours'>) {
  const { form } = useTexts('links').links
  const now = useNow(60_000)
  const [expires, expiresAt] = [field('expires'), field('expires_at')]
  const isCustom = values.expires === 'custom'
  return (
    <>
      <NativeSelect
        {...expires}
        // The service allows only so much.
        error={!isCustom && expiresAt.error}
        label={form.expires}
        onChange={(event) => {
          // The field begins with what was selected before.
          if (event.currentTarget.value === 'custom')
            setFieldValue('expires_at', customExpiry(values.expires, Date.now()))
          expires.onChange(event)
        }}
        data-autofocus
      >
        {offeredHours(maxHours).map((hours) => (
          <option key={hours} value={hours}>
            {hours % 24 === 0 && hours > 24 ? form.days({ days: hours / 24 }) : form.hours({ hours })}
          </option>
        ))}
        <option value="custom">{form.custom}</option>
      </NativeSelect>
      {isCustom && (
        <TextInput
          {...expiresAt}
          type="datetime-local"
          label={form.expiresAt}
          max={customExpiry(String(maxHours), now)}
        />
      )}
    </>
  )
}
