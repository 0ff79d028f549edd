import { memo, useEffect, useRef, useState } from 'react'
import { CopyText } from '../../ui/CopyText.tsx'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { lineText, type KeyedLine } from './lines.ts'
import classes from './LogPage.module.css'

interface LineProps {
  readonly line: KeyedLine
  /** Today's date in the format of `Date.toDateString`. */
  readonly today: string
}

/** One log line, which opens to show its fields. */
export const Line = memo(
  function Line({ line, today }: LineProps) {
    const { log } = useTexts('log')
    const locale = useLocale()
    const [open, setOpen] = useState(false)
    const own = useRef<HTMLDetailsElement>(null)
    useEffect(() => {
      if (open) own.current?.scrollIntoView({ block: 'nearest' })
    }, [open])
    return (
      <details
        ref={own}
        className={classes.line}
        data-level={line.level}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary className={classes.summary}>
          <time className={classes.time} dateTime={line.at} title={line.at}>
            {timeOfDay(line.at, today, locale)}
          </time>
          <span className={classes.level}>{log.levels[line.level]}</span>
          <span className={classes.logger}>{line.logger}</span>
          <span className={classes.message}>
            {line.message} <LineSummary of={line} />
          </span>
        </summary>
        {open && <Details line={line} />}
      </details>
    )
  },
  // Log lines never change; each response just contains them again.
  (before, after) => before.line.key === after.line.key && before.today === after.today,
)

/** The first few scalar fields, as a summary of the line. */
function LineSummary({ of: { fields } }: { of: KeyedLine }) {
  const plain = Object.entries(fields).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  if (plain.length === 0) return null
  return (
    <span className={classes.gist}>
      {plain
        .slice(0, 6)
        .map(([name, value]) => `${name}: ${String(value).slice(0, 80)}`)
        .join(' · ')}
    </span>
  )
}

function Details({ line }: { line: KeyedLine }) {
  const { log } = useTexts('log')
  return (
    <div className={classes.details}>
      <pre className={classes.fields}>
        {Object.keys(line.fields).length > 0 ? JSON.stringify(line.fields, null, 2) : log.noDetails}
      </pre>
      <CopyText value={lineText(line)} variant="default" size="xs" />
    </div>
  )
}

/** Time to the millisecond, with the date unless it is today. */
function timeOfDay(at: string, today: string, locale: string): string {
  const date = new Date(at)
  return new Intl.DateTimeFormat(locale, {
    ...(date.toDateString() !== today && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  }).format(date)
}
