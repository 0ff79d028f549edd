import { Anchor } from '@mantine/core'
import type { RegisteredRouter } from '@tanstack/react-router'

interface ExportsLinkProps {
  readonly router: RegisteredRouter
  /** Id of the export to play. */
  readonly play?: string
  /** Closes the toast. */
  readonly close: () => void
  readonly children: string
}

/** A link to the exports in a toast. Toasts render outside the pages, where router links do not work. */
export function ExportsLink({ router, play, close, children }: ExportsLinkProps) {
  const to = { to: '/exports', search: play === undefined ? {} : { play } } as const
  return (
    <Anchor
      inherit
      fw={600}
      href={router.buildLocation(to).href}
      onClick={(event) => {
        event.preventDefault()
        close()
        void router.navigate(to)
      }}
    >
      {children}
    </Anchor>
  )
}
