import { Popover } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useImperativeHandle, type ReactNode, type Ref, type RefObject } from 'react'
import type { PanelState } from './usePanel.ts'

interface PanelProps extends PanelState {
  readonly label: string
  /** Pixels. */
  readonly width: number
  readonly className: string | undefined
  readonly children: ReactNode
}

/** A panel that opens below its button and takes the focus. */
export function Panel({ id, target, opened, onChange, label, width, className, children }: PanelProps) {
  // Opened when first rendered, Mantine wouldn't note where the focus was, and couldn't return it there.
  const mounted = useMounted()
  return (
    <Popover
      id={id}
      opened={opened && mounted}
      onChange={onChange}
      position="bottom-end"
      width={width}
      shadow="lg"
      radius="lg"
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <RenderedTarget of={target} />
      </Popover.Target>
      <Popover.Dropdown className={className} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Gives Popover the button that's already on the page, where it expects to render its own. */
function RenderedTarget({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => of.current, [of])
  return null
}
