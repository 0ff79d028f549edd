import { Button, NativeSelect, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { LoadMore } from '../ui/lists/LoadMore.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { cameraChoices, camerasQuery } from '../cameras/queries.ts'
import { NoCameras } from '../cameras/NoCameras.tsx'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../ui/feedback/StaleAlert.tsx'
import { ApiError } from '../api/api.ts'
import { messageOf } from '../api/failure.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { formatAge } from '../lib/format-time.ts'
import { useCan, useMe } from '../session/session.ts'
import { ExportRow } from './ExportRow.tsx'
import { exportList, recentExports } from './queries.ts'
import { ExportUsage } from './ExportUsage.tsx'
import classes from './ExportsPage.module.css'
import { PlayExport } from './PlayExport.tsx'

/** Clips saved from recordings as files. */
export function ExportsPage() {
  const { exports, menu } = useTexts('exports')
  const locale = useLocale()
  const { history_days: days } = useMe()
  const { camera, play } = useSearch({ from: '/framed/exports' })
  const navigate = useNavigate({ from: '/exports' })
  const mayPlay = useCan('download')
  const { data: cameras = [] } = useQuery(camerasQuery)
  const choose = (name: string) => void navigate({ search: name ? { camera: name } : {} })
  const setPlayed = (id: string | undefined) =>
    void navigate({ search: { ...(camera && { camera }), ...(id && { play: id }) }, resetScroll: false })

  return (
    <div className={classes.page}>
      <PageTitle of={menu.exports} />
      <div className={classes.head}>
        <div>
          <Title order={1} size="h2">
            {menu.exports}
          </Title>
          <p className={classes.lead}>
            {days === null ? exports.lead : exports.recentLead({ age: formatAge(days, locale) })}
          </p>
        </div>
        {(cameras.length > 1 || camera !== undefined) && (
          <NativeSelect
            className={classes.filter}
            aria-label={exports.camera}
            value={camera ?? ''}
            onChange={(event) => choose(event.currentTarget.value)}
            data={[{ value: '', label: exports.allCameras }, ...cameraChoices(cameras)]}
          />
        )}
      </div>
      <ExportUsage />
      <List key={camera} camera={camera} onPlay={setPlayed} onAll={() => choose('')} />
      {play !== undefined && mayPlay && <PlayExport key={play} id={play} onClose={() => setPlayed(undefined)} />}
    </div>
  )
}

interface ListProps {
  /** undefined: all cameras. */
  readonly camera: string | undefined
  readonly onPlay: (id: string) => void
  readonly onAll: () => void
}

function List({ camera, onPlay, onAll }: ListProps) {
  const texts = useTexts('exports')
  const { exports } = texts
  const pages = useInfiniteQuery(exportList(camera))
  useQuery(recentExports)
  const { data: cameras } = useQuery(camerasQuery)
  const hasHistory = useCan('history')

  const status = pages.error instanceof ApiError ? pages.error.failure.status : undefined
  const all = (
    <Button variant="default" onClick={onAll}>
      {exports.showAll}
    </Button>
  )
  if (camera !== undefined && (status === 403 || status === 404)) {
    return (
      <EmptyState icon={IconDownload} title={messageOf(pages.error, texts)} action={all}>
        {null}
      </EmptyState>
    )
  }
  if (pages.isPending) return <ListSkeleton rows={4} />
  if (pages.error && (!pages.data || status === 403)) {
    return <ErrorState part error={pages.error} again={() => void pages.refetch()} />
  }
  const items = (pages.data?.pages ?? []).flatMap((page) => page.items)
  if (items.length === 0) {
    if (cameras?.length === 0) return <NoCameras part />
    return camera === undefined ? (
      <EmptyState
        icon={IconDownload}
        title={exports.noneTitle}
        action={
          hasHistory && <Button renderRoot={(props) => <Link {...props} to="/history" />}>{exports.toHistory}</Button>
        }
      >
        {exports.none}
      </EmptyState>
    ) : (
      <EmptyState icon={IconDownload} title={exports.noneTitle} action={all}>
        {exports.noneOfCamera}
      </EmptyState>
    )
  }
  return (
    <>
      {pages.isError && <StaleAlert />}
      <ul className={classes.list} aria-label={exports.list}>
        {items.map((one) => (
          <ExportRow key={one.id} one={one} onPlay={() => onPlay(one.id)} />
        ))}
      </ul>
      <LoadMore query={pages} label={exports.more} />
    </>
  )
}
