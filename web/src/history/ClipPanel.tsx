import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core'
import { IconDownload, IconFileExport, IconShare } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { notifyWithAction } from '../ui/feedback/notify.ts'
import { beginExport } from '../exports/queries.ts'
import { ExportsLink } from '../exports/ExportsLink.tsx'
import { ExportUsage } from '../exports/ExportUsage.tsx'
import { FormProblem } from '../ui/forms/FormProblem.tsx'
import { leaveFullscreen } from '../ui/dialogs/leave-fullscreen.ts'
import { useForm } from '../ui/forms/useForm.ts'
import { cameraChoices, titleOf } from '../cameras/queries.ts'
import type { Camera } from '../../../server/src/api-types.ts'
import { messageOf, problemOf } from '../api/failure.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { useCanShare } from '../links/can-share.ts'
import { LazyShareDialog } from '../links/LazyShareDialog.tsx'
import { useCan, useMe } from '../session/session.ts'
import { formatAge, formatDuration } from '../lib/format-time.ts'
import { clipUrl } from './recorded/queries.ts'
import { fieldMoment, fieldText } from '../lib/field-time.ts'
import type { TimeRange } from '../lib/day.ts'
import { endingAt, startingAt } from './player/clip.ts'
import classes from './ClipPanel.module.css'

interface ClipPanelProps {
  readonly cameras: readonly Camera[]
  readonly clip: TimeRange
  readonly now: number
  readonly setClip: (clip: TimeRange) => void
  readonly onClose: () => void
}

/** The selected clip, to the second, and the actions on it. */
export function ClipPanel({ cameras, clip, now, setClip, onClose }: ClipPanelProps) {
  const texts = useTexts('history')
  const { history } = texts
  const locale = useLocale()
  const heading = useId()
  const mayExport = useCan('export')
  const queries = useQueryClient()
  const notifyStarted = useNotifyStarted()
  const [isSharing, setSharing] = useState(false)
  const chosen = (name: string) => cameras.find((each) => each.name === name) ?? cameras[0]
  const { form, field, values, isPending, problems, error } = useForm({
    initialValues: { camera: '', name: '' },
    send: ({ camera, name }) =>
      beginExport({ camera: chosen(camera)?.name ?? '', start: clip.from, end: clip.to, name: name.trim() }),
    onSuccess: () => {
      leaveFullscreen()
      notifyStarted()
      void queries.invalidateQueries({ queryKey: queryKeys.exports.all })
      onClose()
    },
    // The camera can't be chosen if there is only one.
    problemsIn: (error) => (problemOf(error, 'name', texts) ? undefined : { whole: messageOf(error, texts) }),
  })
  const camera = chosen(values.camera)
  if (!camera) return null

  return (
    <>
      <form {...form} className={classes.panel} aria-labelledby={heading}>
        <div className={classes.head}>
          <h2 id={heading} className={classes.title}>
            {history.marked}
          </h2>
          <span className={classes.lasting} role="status">
            {formatDuration(Math.round(clip.to - clip.from), locale)}
          </span>
          <CloseButton size={44} className={classes.close} aria-label={history.unmark} onClick={onClose} />
        </div>
        <div className={classes.fields}>
          {cameras.length > 1 && (
            <NativeSelect
              {...field('camera')}
              label={history.camera}
              value={camera.name}
              data={cameraChoices(cameras)}
            />
          )}
          <TimeField label={history.from} at={clip.from} onMoment={(at) => setClip(startingAt(clip, at, now))} />
          <TimeField label={history.to} at={clip.to} onMoment={(at) => setClip(endingAt(clip, at, now))} />
          {mayExport && (
            <TextInput
              {...field('name')}
              className={classes.name}
              label={history.name}
              placeholder={history.namePlaceholder}
              maxLength={100}
            />
          )}
          <div className={classes.acts}>
            <ClipButtons file={clipUrl(camera.name, clip)} isPending={isPending} onShare={() => setSharing(true)} />
          </div>
        </div>
        <FormProblem of={problems.whole} error={error} />
        {mayExport && <ExportHint />}
      </form>
      {/* Outside of the form, to which React would pass on its submission. */}
      {isSharing && (
        <LazyShareDialog
          target={{ kind: 'history', camera: camera.name, start: clip.from, end: clip.to }}
          title={titleOf(camera)}
          onClose={() => setSharing(false)}
        />
      )}
    </>
  )
}

/** Shows a toast that leads to the exports. */
function useNotifyStarted() {
  const { history, exports } = useTexts('history', 'exports')
  const router = useRouter()
  return () =>
    notifyWithAction({
      id: 'export-started',
      color: 'gate',
      seconds: 10,
      message: (close) => (
        <>
          {history.exportStarted}{' '}
          <ExportsLink router={router} close={close}>
            {exports.usage.open}
          </ExportsLink>
        </>
      ),
    })
}

/** How an export differs from a clip, until when the user's role shows it, and the space used by exports. */
function ExportHint() {
  const { history } = useTexts('history')
  const locale = useLocale()
  const { history_days: days } = useMe()
  const downloads = useCan('download')
  return (
    <>
      <p className={classes.hint}>
        {days === null ? history.exportHint : history.recentExportHint({ downloads, age: formatAge(days, locale) })}
      </p>
      <ExportUsage elsewhere />
    </>
  )
}

interface ClipButtonsProps {
  /** URL of the clip. */
  readonly file: string
  readonly isPending: boolean
  readonly onShare: () => void
}

/** What the user's role can do with a clip. */
function ClipButtons({ file, isPending, onShare }: ClipButtonsProps) {
  const { history } = useTexts('history')
  const [mayExport, mayDownload, mayShare] = [useCan('export'), useCan('download'), useCanShare()]
  const share = () => {
    leaveFullscreen()
    onShare()
  }
  return (
    <>
      {mayExport && (
        <Button type="submit" h={44} leftSection={<IconFileExport size={18} aria-hidden />} loading={isPending}>
          {history.export}
        </Button>
      )}
      {mayDownload && (
        <Button
          component="a"
          h={44}
          variant="default"
          href={file}
          download=""
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          {history.download}
        </Button>
      )}
      {mayShare && (
        <Button h={44} variant="default" leftSection={<IconShare size={18} aria-hidden />} onClick={share}>
          {history.share}
        </Button>
      )}
    </>
  )
}

/** A date and time field in the browser's time zone, to the second. An incomplete entry changes nothing. */
function TimeField({ label, at, onMoment }: { label: string; at: number; onMoment: (at: number) => void }) {
  const [typed, setTyped] = useState<string>()
  const take = () => {
    const moment = typed === undefined ? undefined : fieldMoment(typed, at)
    if (moment !== undefined) onMoment(moment)
    setTyped(undefined)
  }
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label={label}
      value={typed ?? fieldText(at)}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || typed === undefined) return
        event.preventDefault()
        take()
      }}
    />
  )
}
