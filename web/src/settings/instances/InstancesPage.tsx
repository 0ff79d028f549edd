import { Alert } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InstanceResponse } from '../../../../server/src/api-types.ts'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import pageClasses from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { DrainInstance } from './DrainInstance.tsx'
import { InstanceCard } from './InstanceCard.tsx'
import { PlacedCameras } from './PlacedCameras.tsx'
import { instancesQuery } from '../queries.ts'
import classes from './InstancesPage.module.css'

/** The instances that share the database, and the cameras that each of them pulls. */
export function InstancesPage() {
  const texts = useTexts('instances', 'settings')
  const { instances: words } = texts
  const instances = loadOf(useQuery(instancesQuery))
  return (
    <div className={pageClasses.page}>
      <SectionHead title={texts.settings.sections.instances} lead={words.lead} />
      {instances.state === 'loading' && <ListSkeleton />}
      {instances.state === 'failed' && <ErrorState part error={instances.error} again={instances.again} />}
      {instances.state === 'ready' && (
        <>
          {instances.stale && <StaleAlert />}
          {instances.value.length === 0 ? (
            <EmptyState icon={IconServer} title={words.noneTitle}>
              {words.none}
            </EmptyState>
          ) : (
            <InstanceList instances={instances.value} />
          )}
        </>
      )}
    </div>
  )
}

function InstanceList({ instances }: { instances: readonly InstanceResponse[] }) {
  const { instances: words } = useTexts('instances')
  const [draining, setDraining] = useState<InstanceResponse>()
  const isShared = instances.some(({ address }) => address !== null)
  return (
    <>
      <WithoutAddress instances={instances} />
      <ul className={classes.grid} aria-label={words.label}>
        {instances.map((instance) => (
          <InstanceCard key={instance.id} instance={instance} onDrain={() => setDraining(instance)} />
        ))}
      </ul>
      {isShared && <PlacedCameras instances={instances} />}
      {draining && <DrainInstance instance={draining} instances={instances} onClose={() => setDraining(undefined)} />}
    </>
  )
}

/** Names the instances that the others can't reach. */
function WithoutAddress({ instances }: { instances: readonly InstanceResponse[] }) {
  const { instances: words } = useTexts('instances')
  const locale = useLocale()
  const names = instances.filter(({ address }) => address === null).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <Alert color="yellow" title={words.noAddressTitle}>
      {words.noAddress({ names: new Intl.ListFormat(locale).format(names) })}
    </Alert>
  )
}
