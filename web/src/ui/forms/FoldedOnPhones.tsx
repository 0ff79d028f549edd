import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { useNarrow } from '../breakpoints.ts'

interface FoldedOnPhonesProps {
  /** Number of filters that hide entries. */
  readonly active: number
  readonly children: ReactNode
}

/**
 * Filters behind a button on a phone, where they would come before the first entry. They open if they hide entries, and
 * then stay open until the user folds them.
 */
export function FoldedOnPhones({ active, children }: FoldedOnPhonesProps) {
  const { settings } = useTexts('settings')
  const isPhone = useNarrow('phone')
  const [chosen, setChosen] = useState<boolean>()
  const open = chosen ?? active > 0
  if (open && chosen === undefined) setChosen(open)
  if (!isPhone) return children
  return (
    <>
      <Button
        variant={active > 0 && !open ? 'filled' : 'default'}
        leftSection={<IconFilter size={18} aria-hidden />}
        aria-expanded={open}
        onClick={() => setChosen(!open)}
      >
        {active > 0 ? settings.activeFilters({ active }) : settings.filters}
      </Button>
      {open && children}
    </>
  )
}
