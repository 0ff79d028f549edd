import { Alert, Checkbox, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RemovedCamera } from '../../../../server/src/api-types.ts'
import { ApiError, fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import { leftBehind } from './left-behind.ts'
import classes from './UsedName.module.css'

/** What an earlier camera with this name left behind; null if the name is new. */
const removedCameraQuery = (name: string) =>
  queryOptions({
    queryKey: queryKeys.removedCamera(name),
    queryFn: ({ signal }) =>
      fetchJson<RemovedCamera>(`api/removed-cameras/${encodeURIComponent(name)}`, { signal }).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.failure.status === 404) return null
          throw error
        },
      ),
    enabled: /^[A-Za-z0-9_-]{1,64}$/.test(name),
  })

interface UsedNameProps {
  /** As typed; no current camera has this name. */
  readonly name: string
  readonly inherit: boolean
  readonly onInherit: (inherit: boolean) => void
}

/** Asks whether a new or renamed camera inherits what an earlier camera with its name left behind, and lists it. */
export function UsedName({ name, inherit, onInherit }: UsedNameProps) {
  const texts = useTexts('cameras', 'roles')
  const { used } = texts.cameras.form
  const locale = useLocale()
  const [settled] = useDebouncedValue(name, 300)
  const { data: had } = useQuery(removedCameraQuery(settled))
  if (!had || settled !== name) return null
  return (
    <Alert color="yellow" title={used.title({ name })}>
      <Stack gap="sm">
        <Text size="sm">
          {had.removed_at === null
            ? used.listedOnly
            : used.removed({ when: moment(Date.parse(had.removed_at), locale) })}
        </Text>
        <ul className={classes.facts}>
          {leftBehind(had, texts, locale).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <Checkbox
          label={used.inherit}
          description={used.inheritHelp}
          checked={inherit}
          onChange={({ currentTarget: { checked } }) => onInherit(checked)}
        />
      </Stack>
    </Alert>
  )
}
