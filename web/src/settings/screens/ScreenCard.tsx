import { Paper, Title } from '@mantine/core'
import { IconDeviceTv, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ScreenResponse } from '../../../../server/src/api-types.ts'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago, day, useNow } from '../../lib/format-time.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import classes from './ScreensPage.module.css'

interface ScreenCardProps {
  readonly screen: ScreenResponse
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** One screen: what it shows, and when it was last seen. */
export function ScreenCard({ screen, onEdit, onRemove }: ScreenCardProps) {
  const { list } = useTexts('screens').screens
  const { name } = screen
  return (
    <Paper component="li" className={classes.card} data-screen={name}>
      <div className={classes.head}>
        <IconDeviceTv size={22} stroke={1.5} aria-hidden />
        <Title order={2} size="h4" className={classes.title}>
          {name}
        </Title>
        <IconButton icon={IconPencil} label={list.edit({ name })} onClick={onEdit} />
        <IconButton icon={IconTrash} label={list.removeOf({ name })} onClick={onRemove} />
      </div>
      <ScreenFacts screen={screen} />
    </Paper>
  )
}

function ScreenFacts({ screen }: { screen: ScreenResponse }) {
  const { list } = useTexts('screens').screens
  const locale = useLocale()
  const now = useNow(10_000)
  const { data: cameras = [] } = useQuery(camerasQuery)
  const titles = screen.cameras.map((name) => {
    const camera = cameras.find((each) => each.name === name)
    return camera ? titleOf(camera) : name
  })
  const { last_seen_at: seen, address } = screen
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{list.cameras}</dt>
        <dd>{titles.length === 0 ? list.noCameras : new Intl.ListFormat(locale).format(titles)}</dd>
      </div>
      <div>
        <dt>{list.seen}</dt>
        <dd>
          {seen === null
            ? list.never
            : list.seenFrom({ when: ago(Date.parse(seen), now, locale), address: address ?? '' })}
        </dd>
      </div>
      <div>
        <dt>{list.added}</dt>
        <dd>{list.addedBy({ when: day(Date.parse(screen.created_at), locale), user: screen.confirmed_by })}</dd>
      </div>
    </dl>
  )
}
