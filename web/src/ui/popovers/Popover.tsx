import { Popover as MantinePopover } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
  /** The button's id, if that's set by the caller. */
  readonly id?: string
  readonly opened: boolean
  readonly onChange: (opened: boolean) => void
  readonly position: 'bottom' | 'bottom-start' | 'bottom-end'
  /** Pixels; by default as wide as its content. */
  readonly width?: number
  readonly button: ReactElement
  readonly label: string
  readonly className: string | undefined
  readonly children: ReactNode
}

/** Opens below its button and takes the focus, which returns to the button. Also shown in full screen. */
export function Popover({ button, label, className, children, ...view }: PopoverProps) {
  return (
    <MantinePopover {...view} shadow="lg" radius="lg" trapFocus returnFocus withinPortal={false}>
      <MantinePopover.Target>{button}</MantinePopover.Target>
      <MantinePopover.Dropdown className={className} aria-label={label}>
        {children}
      </MantinePopover.Dropdown>
    </MantinePopover>
  )
}
