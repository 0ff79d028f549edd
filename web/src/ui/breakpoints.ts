import { useMediaQuery } from '@mantine/hooks'

/**
 * Widths in pixels up to which a screen counts as such. Style sheets can't read them, so they repeat them: a test compares
 * every `@media (max-width: …)` and `@media (min-width: …)` with this list.
 */
export const breakpoints = {
  /** A phone: dialogs fill the screen, margins shrink. */
  phone: 480,
  /** The menu is below the page. */
  narrow: 640,
  /** No room for two columns next to the menu. */
  medium: 900,
  /** No room for texts in the header. */
  large: 1100,
  wide: 1280,
  /** Above this width, video is watched from a distance: everything is larger. */
  monitor: 2400,
} as const

/** Whether the screen is at most this wide. */
export const useNarrow = (width: keyof typeof breakpoints = 'narrow'): boolean =>
  useMediaQuery(`(max-width: ${breakpoints[width]}px)`, undefined, { getInitialValueInEffect: false }) ?? false
