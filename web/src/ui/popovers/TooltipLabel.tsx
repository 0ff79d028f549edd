import { Tooltip } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useEffect, useEffectEvent, type RefObject } from 'react'

interface TooltipLabelProps {
  readonly id: string
  readonly label: string
  readonly maxWidth?: number
  readonly withinPortal?: boolean
  readonly target: RefObject<HTMLElement | null>
  readonly opened: boolean
  readonly onDismiss: () => void
}

/** The label that a Tooltip shows next to its target. */
export function TooltipLabel({
  id,
  label,
  maxWidth,
  withinPortal = true,
  target,
  opened,
  onDismiss,
}: TooltipLabelProps) {
  // Mantine finds the target in an effect. Opened before that, the label would first appear in the page's corner.
  const mounted = useMounted()
  const dismiss = useEffectEvent(onDismiss)
  useEffect(() => {
    if (!opened) return
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // The first Escape hides the label, and only the next one acts on the page.
      event.stopPropagation()
      dismiss()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [opened])

  return (
    <Tooltip
      label={<span id={id}>{label}</span>}
      target={target}
      opened={opened && mounted}
      withinPortal={withinPortal}
      {...(maxWidth !== undefined && { multiline: true, maw: maxWidth })}
    />
  )
}
