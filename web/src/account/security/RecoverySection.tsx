import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { RecoveryCodes } from '../../../../server/src/api-types.ts'
import { fetchJson } from '../../api/api.ts'
import { useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Section } from '../Section.tsx'
import { useFactorsChanged } from './useFactorsChanged.ts'
import type { Codes } from '../../session/new-codes.ts'

interface RecoverySectionProps {
  readonly left: number
  readonly hasFactor: boolean
  readonly onCodes: (codes: Codes) => void
}

/** How many recovery codes are left; creates new ones. */
export function RecoverySection({ left, hasFactor, onCodes }: RecoverySectionProps) {
  const words = useTexts('security').security.recovery
  const changed = useFactorsChanged()
  const [asking, setAsking] = useState(false)
  const create = async () => {
    const { recovery_codes: codes } = await fetchJson<RecoveryCodes>('api/account/recovery-codes', { method: 'POST' })
    onCodes(codes)
    void changed()
  }
  return (
    <Section title={words.title} lead={words.lead}>
      <Text>{hasFactor ? words.left({ count: left }) : words.none}</Text>
      {hasFactor && (
        <Group>
          <Button variant="default" onClick={() => setAsking(true)}>
            {words.create}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.createTitle}
        confirm={words.create}
        act={create}
      >
        <Text>{words.createBody}</Text>
      </ConfirmDialog>
    </Section>
  )
}
