import { Button } from '@mantine/core'
import { IconDeviceTv, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScreenResponse } from '../../../../server/src/api-types.ts'
import { deleteUnlessGone } from '../../api/delete-unless-gone.ts'
import { loadOf } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import pageClasses from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { AddScreen } from './AddScreen.tsx'
import { EditScreen } from './EditScreen.tsx'
import { ScreenCard } from './ScreenCard.tsx'
import { screensQuery } from '../queries.ts'
import { pairUrl } from './pair-url.ts'

/** The dialog that is open. */
type Open = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly screen: ScreenResponse }

/** The paired screens, and the form that adds one by its code. */
export function ScreensPage() {
  const { settings, screens } = useTexts('settings', 'screens')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <div className={pageClasses.page}>
      <SectionHead title={settings.sections.screens} lead={screens.list.lead}>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ kind: 'add' })}>
          {screens.list.add}
        </Button>
      </SectionHead>
      <ScreenList onOpen={setOpen} />
      <AddScreen opened={open?.kind === 'add'} onClose={close} />
      {open?.kind === 'edit' && <EditScreen screen={open.screen} onClose={close} />}
      {open?.kind === 'remove' && <RemoveScreen screen={open.screen} onClose={close} />}
    </div>
  )
}

function ScreenList({ onOpen }: { onOpen: (open: Open) => void }) {
  const { list } = useTexts('screens').screens
  const screens = loadOf(useQuery(screensQuery))
  switch (screens.state) {
    case 'loading':
      return <ListSkeleton />
    case 'failed':
      return <ErrorState part error={screens.error} again={screens.again} />
    case 'ready':
      if (screens.value.length === 0) {
        return (
          <EmptyState icon={IconDeviceTv} title={list.noneTitle}>
            {list.none({ url: pairUrl() })}
          </EmptyState>
        )
      }
      return (
        <ul className={pageClasses.grid} aria-label={list.label}>
          {screens.value.map((screen) => (
            <ScreenCard
              key={screen.id}
              screen={screen}
              onEdit={() => onOpen({ kind: 'edit', screen })}
              onRemove={() => onOpen({ kind: 'remove', screen })}
            />
          ))}
        </ul>
      )
  }
}

function RemoveScreen({ screen: { id, name }, onClose }: { screen: ScreenResponse; onClose: () => void }) {
  const { list } = useTexts('screens').screens
  const queries = useQueryClient()
  const remove = async () => {
    await deleteUnlessGone(`api/screens/${id}`)
    notifySuccess(list.removed({ name }))
    await queries.invalidateQueries({ queryKey: queryKeys.screens.list })
  }
  return (
    <ConfirmDialog opened title={list.removeTitle({ name })} confirm={list.remove} onClose={onClose} act={remove}>
      {list.removeBody}
    </ConfirmDialog>
  )
}
