import { Alert, Button, Group, Text } from '@mantine/core'
import { useMotionTexts } from '../../i18n/motion-texts.ts'
import type { MotionSettings } from './motion-settings.ts'

interface ConflictProps {
  readonly theirs: MotionSettings
  readonly onTheirs: () => void
  readonly onMine: () => void
}

/** Shown when someone else saved first: describes what they saved, so that nothing is overwritten by accident. */
export function Conflict({ theirs, onTheirs, onMine }: ConflictProps) {
  const { conflict, detection } = useMotionTexts()
  return (
    <Alert role="alert" color="yellow" title={conflict.title}>
      <Text mb="sm">
        {theirs.enabled
          ? conflict.body(detection.levels[theirs.sensitivity], theirs.masks.length)
          : conflict.bodyOff(theirs.masks.length)}
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
