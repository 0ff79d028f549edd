import { Alert, NativeSelect, Text, Title } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnReads } from '../../../server/src/api-types.ts'
import { camerasQuery, titleOf } from '../cameras/queries.ts'
import { useTexts } from '../i18n/texts.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { ListSkeleton } from '../ui/ListSkeleton.tsx'
import { LoadMore } from '../ui/LoadMore.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import classes from './AccountPage.module.css'
import { ReadList } from './ReadList.tsx'
import { ReadSums } from './ReadSums.tsx'
import { ownReadsQuery } from './reads.ts'

/** What the signed-in user watched, played and downloaded (AUD-6). */
export function ActivityPage() {
  const { activity, accountSections } = useTexts('account')
  const [camera, setCamera] = useState('')
  return (
    <div className={classes.page}>
      <PageTitle of={accountSections.activity} />
      <div>
        <Title order={1} size="h2">
          {activity.title}
        </Title>
        <Text c="dimmed">{activity.lead}</Text>
      </div>
      <Reads camera={camera} onChoose={setCamera} />
    </div>
  )
}

function Reads({ camera, onChoose }: { camera: string; onChoose: (camera: string) => void }) {
  const { activity, failure } = useTexts('account')
  const reads = useInfiniteQuery(ownReadsQuery(camera))
  const { data: cameras = [] } = useQuery(camerasQuery)

  if (reads.isPending) return <ListSkeleton rows={6} />
  if (!reads.data) return <ErrorState part error={reads.error} again={() => void reads.refetch()} />
  const [first] = reads.data.pages
  const canBeFound = first?.recorded === true || camera !== ''
  const lines = reads.data.pages.flatMap((page) => page.reads)
  return (
    <>
      {reads.isError && (
        <Alert role="status" color="yellow">
          {failure.stale}
        </Alert>
      )}
      {first && <Recorded of={first} />}
      <ReadSums />
      {(canBeFound || lines.length > 0) && (
        <NativeSelect
          className={classes.filter}
          label={activity.camera}
          value={camera}
          onChange={(event) => onChoose(event.currentTarget.value)}
          data={[
            { value: '', label: activity.anyCamera },
            ...cameras.map((one) => ({ value: one.name, label: titleOf(one) })),
          ]}
        />
      )}
      {lines.length > 0 ? (
        <>
          <ReadList lines={lines} />
          <LoadMore query={reads} label={activity.more} end={activity.end} />
        </>
      ) : (
        canBeFound && (
          <EmptyState icon={IconEye} title={activity.noneTitle}>
            {activity.none}
          </EmptyState>
        )
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
