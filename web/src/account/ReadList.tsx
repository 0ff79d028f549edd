import { Title } from '@mantine/core'
import { IconCamera, IconDownload, IconHistory, IconVideo, type TablerIcon } from '@tabler/icons-react'
import type { AuditLine } from '../../../server/src/api-types.ts'
import { useTitles } from '../cameras/useTitles.ts'
import { useLocale, useTexts, type Texts } from '../i18n/texts.ts'
import { dayLabel, dayOf } from '../lib/day.ts'
import { formatDuration, formatTimeRange, timeOfDay } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import { labelFor } from '../lib/label-for.ts'
import bordered from '../ui/lists/BorderedList.module.css'
import classes from './ReadList.module.css'

const icons: Readonly<Record<string, TablerIcon>> = {
  watch: IconVideo,
  playback: IconHistory,
  download: IconDownload,
  snapshot: IconCamera,
}

/** Seconds since 1970. */
const timeOf = ({ at }: AuditLine): number => Date.parse(at) / 1000

/** What a user watched, by day. */
export function ReadList({ lines }: { lines: readonly AuditLine[] }) {
  const { activity } = useTexts('account')
  const locale = useLocale()
  const now = useNow(60_000)
  const days = Map.groupBy(lines, (line) => dayOf(timeOf(line)))
  return [...days].map(([day, ofDay]) => {
    const name = dayLabel(day, now / 1000, locale)
    return (
      <section key={day} aria-label={name}>
        <Title order={2} size="h5" mb={8}>
          {name}
        </Title>
        <ol className={bordered.list} aria-label={activity.list({ day: name })}>
          {ofDay.map((line) => (
            <Read key={line.id} line={line} />
          ))}
        </ol>
      </section>
    )
  })
}

function Read({ line }: { line: AuditLine }) {
  const texts = useTexts('account')
  const locale = useLocale()
  const titleOf = useTitles()
  const Icon = icons[line.action] ?? IconVideo
  return (
    <li className={classes.read}>
      <Icon size={20} className={classes.icon} aria-hidden />
      <div className={classes.what}>
        <span className={classes.camera}>
          {line.target === null ? texts.activity.manyCameras : titleOf(line.target)}
        </span>
        <span className={classes.detail}>{howOf(line, texts, locale).join(texts.partsSeparator)}</span>
      </div>
      <time dateTime={line.at} title={line.at} className={classes.time}>
        {timeOfDay(timeOf(line), locale)}
      </time>
    </li>
  )
}

/** What was done, which recording, for how long, and from where. */
function howOf(line: AuditLine, { activity }: Texts<'account'>, locale: string): string[] {
  const { action, address, credential, duration = 0, start, end } = line
  return [
    labelFor(activity.actions, action),
    ...(start === undefined || end === undefined ? [] : [formatTimeRange(start, end, locale)]),
    ...(duration >= 1 ? [activity.lasted({ time: formatDuration(Math.round(duration), locale) })] : []),
    ...(credential === undefined ? [] : [activity.by({ name: credential.name })]),
    ...(address === null ? [] : [activity.from({ address })]),
  ]
}
