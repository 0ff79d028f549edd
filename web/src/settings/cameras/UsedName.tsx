import { Alert, Checkbox, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import { leftBehind } from './left-behind.ts'
import { removedCameraQuery } from './removed-camera.ts'
import classes from './UsedName.module.css'

interface UsedNameProps {
  /** As typed; no current camera has this name. */
  readonly name: string
  readonly inherit: boolean
  readonly onInherit: (inherit: boolean) => void
  /** The user is asked about this name. */
  readonly onAsked: (name: string) => void
}

/** Asks whether a new or renamed camera inherits what an earlier camera with its name left behind, and lists it. */
export function UsedName({ name, inherit, onInherit, onAsked }: UsedNameProps) {
  const texts = useTexts('cameras', 'roles')
  const { used } = texts.cameras.form
  const locale = useLocale()
  const [settled] = useDebouncedValue(name, 300)
  const found = loadOf(useQuery(removedCameraQuery(settled)))
  const had = found.state === 'ready' && settled === name ? found.value : null
  const notifyAsked = useEffectEvent(onAsked)
  useEffect(() => {
    if (had) notifyAsked(name)
  }, [had, name])
  if (found.state === 'failed' && settled === name) return <FailedPart error={found.error} again={found.again} />
  if (!had) return null
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
