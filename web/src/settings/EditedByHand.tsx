import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/texts.ts'

/** Says that the service can't edit the cameras in config.yml, and where they are edited instead. */
export function EditedByHand() {
  const { refusals, cameras } = useTexts('cameras')
  return (
    <Alert color="yellow">
      {refusals['config-not-editable']}{' '}
      <Anchor component={Link} to="/settings/config" size="sm" underline="always">
        {cameras.openConfig}
      </Anchor>
    </Alert>
  )
}
