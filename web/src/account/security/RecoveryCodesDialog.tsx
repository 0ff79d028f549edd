import { Button, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { CodeText } from '../../ui/CodeText.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import classes from './Security.module.css'
import type { Codes } from '../../session/new-codes.ts'

/** New recovery codes, shown only this once. */
export function RecoveryCodesDialog({ codes, onDone }: { codes: Codes; onDone: () => void }) {
  const { recovery } = useTexts('security').security
  return (
    <FormDialog opened onClose={onDone} title={recovery.shownTitle}>
      <Stack>
        <Text role="status">{recovery.shown}</Text>
        <ul className={classes.codes} aria-label={recovery.codes}>
          {codes.map((code) => (
            <li key={code}>
              <CodeText display="block">{code}</CodeText>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <CopyText value={codes.join('\n')} variant="default">
            {recovery.copy}
          </CopyText>
          <Button onClick={onDone} data-autofocus>
            {recovery.done}
          </Button>
        </Group>
      </Stack>
    </FormDialog>
  )
}
