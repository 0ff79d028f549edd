import { Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { areaOf, choose, withoutMask, type Drawing } from './drawing.ts'
import classes from './MaskList.module.css'

interface MaskListProps {
  readonly drawing: Drawing
  readonly change: (step: (drawing: Drawing) => Drawing) => void
  /** Error messages by the mask's index. */
  readonly problems: ReadonlyMap<number, string>
}

/** Share of the frame above which almost nothing is left to detect motion in. */
const nearlyAll = 0.95

/** The masks by number, with buttons to choose and delete them. */
export function MaskList({ drawing, change, problems }: MaskListProps) {
  const { masks } = useTexts('motion').motion
  const percent = new Intl.NumberFormat(useLocale(), { style: 'percent' })
  if (drawing.masks.length === 0) return <Text c="dimmed">{masks.none}</Text>
  const covered = Math.max(...drawing.masks.map(({ points }) => areaOf(points)))
  const remove = (id: number) => {
    change((now) => withoutMask(now, id))
    document.querySelector<HTMLElement>('[data-add-mask]')?.focus()
  }
  return (
    <>
      <ul className={classes.list}>
        {drawing.masks.map(({ id, points }, place) => {
          const name = masks.name({ number: place + 1 })
          const chosen = drawing.chosen?.mask === id
          return (
            <li key={id} data-chosen={chosen || undefined}>
              <button
                type="button"
                className={classes.choose}
                aria-pressed={chosen}
                disabled={drawing.begun !== undefined}
                onClick={() => change((now) => choose(now, chosen ? undefined : { mask: id, point: 'all' }))}
              >
                <span className={classes.name}>{name}</span>
                <span className={classes.facts}>
                  {masks.facts({ points: points.length, percent: percent.format(areaOf(points)) })}
                </span>
              </button>
              <IconButton
                icon={IconTrash}
                label={masks.deleteOf({ name })}
                color="red"
                onClick={drawing.begun === undefined ? () => remove(id) : undefined}
              />
              {problems.has(place) && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert" className={classes.problem}>
                  {problems.get(place)}
                </Text>
              )}
            </li>
          )
        })}
      </ul>
      {covered > nearlyAll && (
        <Text size="sm" role="status">
          {masks.all}
        </Text>
      )}
    </>
  )
}
