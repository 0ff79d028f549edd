import { Text } from '@mantine/core'
import { IconDeviceTv, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ScreenResponse } from '../../../../server/src/api-types.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago, day } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import { Fact, FactCard } from '../../ui/lists/FactCard.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

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
    <FactCard
      title={name}
      icon={IconDeviceTv}
      data-screen={name}
      note={screen.ended && <Text size="sm">{list.ended}</Text>}
      actions={
        <>
          <IconButton icon={IconPencil} label={list.edit({ name })} onClick={onEdit} />
          <IconButton icon={IconTrash} label={list.removeOf({ name })} onClick={onRemove} />
        </>
      }
    >
      <ScreenFacts screen={screen} />
    </FactCard>
  )
}

function ScreenFacts({ screen }: { screen: ScreenResponse }) {
  const { list } = useTexts('screens').screens
  const locale = useLocale()
  const now = useNow(10_000)
  const titles = screen.cameras.map(useTitles())
  const { last_seen_at: seen, address } = screen
  const cameras = titles.length === 0 ? list.noCameras : new Intl.ListFormat(locale).format(titles)
  return (
    <>
      <Fact term={list.cameras}>{cameras}</Fact>
      <Fact term={list.seen}>
        {seen === null
          ? list.never
          : list.seenFrom({ when: ago(Date.parse(seen), now, locale), address: address ?? '' })}
      </Fact>
      <Fact term={list.added}>
        {list.addedBy({ when: day(Date.parse(screen.created_at), locale), user: screen.confirmed_by })}
      </Fact>
    </>
  )
}
