import { useMergedRef } from '@mantine/hooks'
import {
  cloneElement,
  useId,
  useRef,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type Ref,
} from 'react'
import type { TooltipLabel } from './TooltipLabel.tsx'

interface TargetProps {
  readonly ref?: Ref<HTMLElement>
  readonly 'aria-describedby'?: string | undefined
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void
}

interface TooltipProps {
  readonly label: string
  /** Wraps a long label at this width, pixels. */
  readonly maxWidth?: number
  /** false: the tooltip is rendered next to its target, which may be in full screen. */
  readonly withinPortal?: boolean
  readonly children: ReactElement<TargetProps>
}

/** Names its target while the mouse is over it or the keyboard has focused it. Its code loads when it's first shown. */
export function Tooltip({ children, ...view }: TooltipProps) {
  const { props: own } = children
  const id = useId()
  const target = useRef<HTMLElement>(null)
  const ref = useMergedRef(target, own.ref)
  const [opened, setOpened] = useState(false)
  const [Label, setLabel] = useState<typeof TooltipLabel>()

  const show = () => {
    setOpened(true)
    // Without its tooltip the target still has its own accessible name. The next attempt loads again.
    if (!Label) void import('./TooltipLabel.tsx').then((loaded) => setLabel(() => loaded.TooltipLabel)).catch(() => {})
  }
  const hide = () => setOpened(false)
  const described = [own['aria-describedby'], Label && opened && id].filter(Boolean).join(' ')

  return (
    <>
      {Label && <Label {...view} id={id} target={target} opened={opened} onDismiss={hide} />}
      {cloneElement(children, {
        ref,
        'aria-describedby': described || undefined,
        onPointerEnter: (event: PointerEvent<HTMLElement>) => {
          own.onPointerEnter?.(event)
          if (event.pointerType !== 'touch') show()
        },
        onPointerLeave: (event: PointerEvent<HTMLElement>) => {
          own.onPointerLeave?.(event)
          hide()
        },
        onFocus: (event: FocusEvent<HTMLElement>) => {
          own.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) show()
        },
        onBlur: (event: FocusEvent<HTMLElement>) => {
          own.onBlur?.(event)
          hide()
        },
      })}
    </>
  )
}
