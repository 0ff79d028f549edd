import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnSummary } from '../../../server/src/api-types.ts'
import { useTitles } from '../cameras/useTitles.ts'
import { useLocale, useTexts, type Texts } from '../i18n/texts.ts'
import { formatDuration } from '../lib/format-time.ts'
import bordered from '../ui/lists/BorderedList.module.css'
import classes from './ReadList.module.css'
import { ownSummaryQuery } from './reads.ts'

type Row = OwnSummary['rows'][number]

/** Cameras shown at first. */
const few = 5

/** How much the signed-in user watched in the last 30 days, by camera, the longest first. Nothing if there is none. */
export function ReadSums() {
  const texts = useTexts('account')
  const { sums, manyCameras } = texts.activity
  const locale = useLocale()
  const titleOf = useTitles()
  const { data } = useQuery(ownSummaryQuery)
  const [all, setAll] = useState(false)
  if (!data || data.rows.length === 0) return null

  const nameOf = ({ name, removed }: Row): string => {
    if (name === null) return manyCameras
    return removed ? sums.removed({ name }) : titleOf(name)
  }
  const rows = data.rows.toSorted((one, other) => secondsOf(other) - secondsOf(one))
  return (
    <section aria-label={sums.title}>
      <Title order={2} size="h5" mb={8}>
        {sums.title}
      </Title>
      <ul className={bordered.list} aria-label={sums.title}>
        {(all ? rows : rows.slice(0, few)).map((row, at) => (
          <li key={at} className={classes.read}>
            <div className={classes.what}>
              <span className={classes.camera}>{nameOf(row)}</span>
              {factsOf(row, texts, locale).map((fact) => (
                <span key={fact} className={classes.detail}>
                  {fact}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {!all && rows.length > few && (
        <Button variant="default" mt={12} onClick={() => setAll(true)}>
          {sums.all({ count: rows.length })}
        </Button>
      )}
    </section>
  )
}

const secondsOf = ({ watched_duration: watched, played_duration: played }: Row): number => watched + played

/** What was done with a camera, and how much of it. */
function factsOf(row: Row, { activity: { sums } }: Texts<'account'>, locale: string): string[] {
  return (['watched', 'played', 'snapshots', 'downloads'] as const).flatMap((column) => {
    const count = row[column]
    if (count === 0) return []
    const amount =
      column === 'watched' || column === 'played'
        ? sums.time({ time: formatDuration(Math.round(row[`${column}_duration`]), locale), count })
        : new Intl.NumberFormat(locale).format(count)
    return [sums.fact({ what: sums.columns[column], amount })]
  })
}
