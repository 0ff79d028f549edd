import { Anchor, SegmentedControl, Switch, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Camera, MotionNow } from '../../../../server/src/api-types.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Card } from '../../ui/Card.tsx'
import type { MotionEdit } from './motion-edit.ts'
import { Now } from './Now.tsx'

interface DetectionCardProps {
  readonly camera: Camera
  readonly isEditable: boolean
  readonly detection: MotionEdit['detection']
  readonly onChange: (change: Partial<MotionEdit['detection']>) => void
  /** The problem with the sensitivity. */
  readonly problem: string | undefined
  /** undefined unless motion detection is active. */
  readonly now: MotionNow | undefined
}

const levels = ['low', 'medium', 'high'] as const

/** Whether and how sensitively motion is detected, and the motion at present. */
export function DetectionCard({ camera, isEditable, detection, onChange, problem, now }: DetectionCardProps) {
  const { cameras, motion } = useTexts('cameras', 'motion')
  const words = motion.detection
  return (
    <Card title={words.title}>
      <Switch
        label={words.enabled}
        description={words.enabledHelp}
        checked={detection.enabled}
        onChange={({ currentTarget: { checked } }) => onChange({ enabled: checked })}
      />
      <div>
        <Text size="sm" fw={600} mb={4} id="sensitivity">
          {words.sensitivity}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="sensitivity"
          disabled={!detection.enabled || !isEditable}
          data={levels.map((value) => ({ value, label: words.levels[value] }))}
          value={detection.sensitivity}
          onChange={(sensitivity) => onChange({ sensitivity })}
        />
        <Text size="sm" c="dimmed" mt={6}>
          {words.help[detection.sensitivity]}
        </Text>
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
      </div>
      <Now camera={camera} now={now} />
      <Text size="sm" c="dimmed">
        {words.elsewhere}{' '}
        <Anchor component={Link} to="/settings/config" size="sm" underline="always">
          {cameras.openConfig}
        </Anchor>
      </Text>
    </Card>
  )
}
