import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../i18n/texts.ts'
import { instancesQuery } from '../known-instances.ts'

/** If several instances share the database: which one's recordings the page is about, and where the others are. */
export function OnlyThisInstance() {
  const { storage } = useTexts('storage')
  const { data: instances = [] } = useQuery(instancesQuery)
  const current = instances.find((instance) => instance.current)
  if (!current || instances.length === 1) return null
  return (
    <Alert role="note" color="blue" title={storage.onlyInstance({ name: current.name })}>
      {storage.onlyInstanceBody}
    </Alert>
  )
}
