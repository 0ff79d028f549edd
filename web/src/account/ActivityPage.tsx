import { Alert, NativeSelect, Text, Title } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnReads } from '../../../server/src/api-types.ts'
import { cameraChoices, camerasQuery } from '../cameras/queries.ts'
import { useTexts } from '../i18n/texts.ts'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../ui/feedback/ListSkeleton.tsx'
import { LoadMore } from '../ui/lists/LoadMore.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { StaleAlert } from '../ui/feedback/StaleAlert.tsx'
import classes from './AccountPage.module.css'
import { ReadList } from './ReadList.tsx'
import { ReadSums } from './ReadSums.tsx'
import { ownReadsQuery } from './reads.ts'

/** What the signed-in user watched, played and downloaded (AUD-6). */
export function ActivityPage() {
  const { activity, accountSections } = useTexts('account')
  return (
    <div className={classes.page}>
      <PageTitle of={accountSections.activity} />
      <div>
        <Title order={1} size="h2">
          {activity.title}
        </Title>
        <Text c="dimmed">{activity.lead}</Text>
      </div>
      <Activity />
    </div>
  )
}

/** What doesn't depend on the chosen camera, and the list of that camera. */
function Activity() {
  const { activity } = useTexts('account')
  const [camera, setCamera] = useState('')
  const reads = useInfiniteQuery(ownReadsQuery(''))
  const { data: cameras = [] } = useQuery(camerasQuery)

  if (reads.isPending) return <ListSkeleton rows={6} />
  if (!reads.data) return <ErrorState part error={reads.error} again={() => void reads.refetch()} />
  const [first] = reads.data.pages
  const canBeFound = first !== undefined && (first.recorded || first.reads.length > 0)
  return (
    <>
      {first && <Recorded of={first} />}
      <ReadSums />
      {canBeFound && (
        <>
          <NativeSelect
            className={classes.filter}
            label={activity.camera}
            value={camera}
            onChange={(event) => setCamera(event.currentTarget.value)}
            data={[{ value: '', label: activity.anyCamera }, ...cameraChoices(cameras)]}
          />
          <Reads camera={camera} />
        </>
      )}
    </>
  )
}

/** @param camera its name; empty: all cameras */
function Reads({ camera }: { camera: string }) {
  const { activity } = useTexts('account')
  const reads = useInfiniteQuery(ownReadsQuery(camera))

  if (reads.isPending) return <ListSkeleton rows={6} />
  if (!reads.data) return <ErrorState part error={reads.error} again={() => void reads.refetch()} />
  const lines = reads.data.pages.flatMap((page) => page.reads)
  return (
    <>
      {reads.isError && <StaleAlert />}
      {lines.length > 0 ? (
        <>
          <ReadList lines={lines} />
          <LoadMore query={reads} label={activity.more} end={activity.end} />
        </>
      ) : (
        <EmptyState icon={IconEye} title={activity.noneTitle}>
          {activity.none}
        </EmptyState>
      )}
    </>
  )
}

/** Says what is recorded and for how long, or that nothing is. */
function Recorded({ of: { recorded, kept_days: days } }: { of: OwnReads }) {
  const { activity } = useTexts('account')
  const Icon = recorded ? IconEye : IconEyeOff
  return (
    <Alert icon={<Icon size={20} aria-hidden />} title={recorded ? activity.onTitle : activity.offTitle} color="gray">
      {recorded ? activity.on({ days }) : activity.off({ days })}
    </Alert>
  )
}
