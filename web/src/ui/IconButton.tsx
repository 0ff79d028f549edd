import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { AriaAttributes, ReactElement } from 'react'
import classes from './IconButton.module.css'
import { Tooltip } from './popovers/Tooltip.tsx'

interface IconButtonProps extends AriaAttributes, Pick<ActionIconProps, 'className' | 'color' | 'radius'> {
  readonly icon: TablerIcon
  /** The tooltip, and the accessible name unless `aria-label` says more. */
  readonly label: string
  /** Without an action, the button keeps its place, its focus and its tooltip, but is disabled. */
  readonly onClick?: (() => void) | undefined
  /** Renders a link that downloads this URL. */
  readonly download?: string
  /** Renders a link instead of a button. */
  readonly renderRoot?: (props: Readonly<Record<string, unknown>>) => ReactElement
  /** The key of the same action, as shown in the tooltip. */
  readonly shortcut?: string
  /** Pixels of a side. */
  readonly size?: number
  /** `overlay` is for buttons over video. */
  readonly variant?: 'subtle' | 'light' | 'filled' | 'overlay'
  /** The icon points in a direction of reading, which is mirrored in right-to-left languages. */
  readonly mirrored?: boolean
  /** False inside an element that can fill the screen, which shows nothing from outside. */
  readonly withinPortal?: boolean
}

/** Keys whose name for assistive technology isn't the sign on the key. */
const keyNames: Readonly<Record<string, string>> = { '←': 'ArrowLeft', '→': 'ArrowRight', '+': 'Plus' }

/** A button that consists of an icon, with a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { icon: Icon, label, onClick, download, renderRoot, shortcut, className, ...given } = props
  const { variant = 'subtle', size = 44, mirrored = false, withinPortal = true, ...rest } = given
  const isDisabled = !onClick && !renderRoot && download === undefined
  const isOverlay = variant === 'overlay'
  return (
    <Tooltip label={shortcut === undefined ? label : `${label} (${shortcut})`} withinPortal={withinPortal}>
      <ActionIcon
        color={variant === 'subtle' ? 'gray' : 'gate'}
        aria-label={label}
        {...(shortcut !== undefined && { 'aria-keyshortcuts': keyNames[shortcut] ?? shortcut })}
        {...rest}
        className={[className, isOverlay && classes.overlay, mirrored && classes.mirrored].filter(Boolean).join(' ')}
        variant={isOverlay ? 'transparent' : variant}
        size={size}
        {...(isDisabled && { 'aria-disabled': true, 'data-disabled': true })}
        {...(download !== undefined && { component: 'a', href: download, download: true })}
        {...(renderRoot ? { renderRoot } : { onClick })}
      >
        <Icon size={Math.max(18, size / 2 - 2)} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
