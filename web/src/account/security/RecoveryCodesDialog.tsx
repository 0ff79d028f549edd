import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { CopyValue } from './CopyValue.tsx'
import classes from './Security.module.css'
import type { Codes } from './useNewCodes.ts'

/** New recovery codes, shown only this once. */
export function RecoveryCodesDialog({ codes, onDone }: { codes: Codes | undefined; onDone: () => void }) {
  const { recovery } = useTexts('security').security
  return (
    <FormDialog opened={codes !== undefined} onClose={onDone} title={recovery.shownTitle}>
      <Stack>
        <Text role="status">{recovery.shown}</Text>
        <ul className={classes.codes} aria-label={recovery.codes}>
          {codes?.map((code) => (
            <li key={code}>
              <Code className={classes.code}>{code}</Code>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <CopyValue value={codes?.join('\n') ?? ''} label={recovery.copy} />
          <Button onClick={onDone} data-autofocus>
            {recovery.done}
          </Button>
        </Group>
      </Stack>
    </FormDialog>
  )
}
