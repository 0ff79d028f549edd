import { Alert, Button, Group, Text } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import type { MotionSettings } from './motion-settings.ts'

interface ConflictProps {
  readonly theirs: MotionSettings
  readonly onTheirs: () => void
  readonly onMine: () => void
}

/** Shown when someone else saved first: describes what they saved, so that nothing is overwritten by accident. */
export function Conflict({ theirs, onTheirs, onMine }: ConflictProps) {
  const { conflict, detection } = useTexts('motion').motion
  return (
    <Alert role="alert" color="yellow" title={conflict.title}>
      <Text mb="sm">
        {theirs.enabled
          ? conflict.body({ sensitivity: detection.levels[theirs.sensitivity], masks: theirs.masks.length })
          : conflict.bodyOff({ masks: theirs.masks.length })}
      </Text>
      <Group>
        <Button variant="default" onClick={onTheirs}>
          {conflict.theirs}
        </Button>
        <Button variant="default" onClick={onMine}>
          {conflict.mine}
        </Button>
      </Group>
    </Alert>
  )
}
