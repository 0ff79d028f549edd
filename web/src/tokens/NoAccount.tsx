import { IconApiOff } from '@tabler/icons-react'
import { useTexts } from '../i18n/texts.ts'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'

/** Shown to users of a proxy and of the internal port. */
export function NoAccount() {
  const { list } = useTexts('tokens').tokens
  return (
    <EmptyState icon={IconApiOff} title={list.noAccountTitle}>
      {list.noAccount}
    </EmptyState>
  )
}
