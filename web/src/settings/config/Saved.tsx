import { Alert, Code, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ConfigSaved } from '../../../../server/src/api-types.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './ConfigPage.module.css'

interface SavedProps {
  readonly saved: ConfigSaved
  /** Several instances share the configuration. */
  readonly isShared: boolean
  readonly onClose: () => void
}

/** The result of a save: keys applied immediately, and keys that need a restart. */
export function Saved({ saved, isShared, onClose }: SavedProps) {
  const { config, close } = useTexts('config')
  const { applied, restart_required: waiting } = saved
  return (
    <Alert
      icon={<IconCheck />}
      title={config.savedTitle}
      role="status"
      withCloseButton
      closeButtonLabel={close}
      onClose={onClose}
    >
      <Stack gap="sm">
        {applied.length + waiting.length === 0 && <Text size="sm">{config.nothingApplied}</Text>}
        {applied.length > 0 && <Keys title={isShared ? config.appliedShared : config.applied} keys={applied} />}
        {waiting.length > 0 && <Keys title={isShared ? config.restartShared : config.restart} keys={waiting} />}
      </Stack>
    </Alert>
  )
}

function Keys({ title, keys }: { title: string; keys: readonly string[] }) {
  return (
    <div>
      <Text size="sm">{title}</Text>
      <ul className={classes.keyList}>
        {keys.map((key) => (
          <li key={key}>
            <Code>{key}</Code>
          </li>
        ))}
      </ul>
    </div>
  )
}
