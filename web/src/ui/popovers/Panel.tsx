import { useMounted } from '@mantine/hooks'
import { useImperativeHandle, type Ref, type RefObject } from 'react'
import { Popover, type PopoverProps } from './Popover.tsx'
import type { PanelState } from './usePanel.ts'

interface PanelProps extends PanelState, Pick<PopoverProps, 'label' | 'className' | 'children'> {
  /** Pixels. */
  readonly width: number
}

/** A popover of a button that's already on the page. */
export function Panel({ target, opened, ...view }: PanelProps) {
  // If it were open on first render, Mantine wouldn't record the focused element and couldn't restore focus.
  const mounted = useMounted()
  return <Popover {...view} opened={opened && mounted} position="bottom-end" button={<RenderedTarget of={target} />} />
}

/** Gives Popover the button that's already on the page, where it expects to render its own. */
function RenderedTarget({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => of.current, [of])
  return null
}
