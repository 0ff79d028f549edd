import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const gate: MantineColorsTuple = [
  '#ecf8f4',
  '#d5efe7',
  '#abdfd0',
  '#7dceb6',
  '#57bda0',
  '#36a68a',
  '#1f8d74',
  '#147662',
  '#105f4f',
  '#0b473b',
]

/** Mantine's dark grays with a hint of the gate's green. */
const dark: MantineColorsTuple = [
  '#dfe6e4',
  '#b6c2be',
  '#93a19c',
  '#66736f',
  '#36423f',
  '#27322f',
  '#1b2422',
  '#101716',
  '#0c1211',
  '#070b0a',
]

export const theme = createTheme({
  primaryColor: 'gate',
  primaryShade: { light: 7, dark: 7 },
  colors: { gate, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif',
  headings: { fontWeight: '600' },
  focusRing: 'auto',
  components: {
    // Long labels wrap instead of being cut off.
    Button: {
      defaultProps: {
        styles: {
          // A link, unlike a button, doesn't center what is lower than it.
          root: {
            height: 'auto',
            minHeight: 'var(--button-height)',
            paddingBlock: '0.25rem',
            alignContent: 'center',
          },
          label: { whiteSpace: 'normal', overflow: 'visible', lineHeight: 1.3 },
        },
      },
    },
    // Mantine renders a modal's header as <header>, which outside of a sectioning element is a second banner.
    Modal: {
      defaultProps: {
        attributes: { header: { role: 'none' } },
        styles: {
          title: { fontSize: '1.125rem', fontWeight: 600, lineHeight: 1.3 },
          // The sticky header must not cover the focused element.
          content: { scrollPaddingTop: '4.5rem' },
        },
      },
    },
  },
})

/** Colors replaced because Mantine's own have a contrast below 4.5:1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f8f7',
    '--mantine-color-text': '#17211f',
    '--mantine-color-dimmed': '#56635f',
    '--mantine-color-placeholder': '#66736f',
    '--mantine-color-error': '#c02a2a',
    '--mantine-color-anchor': '#105f4f',
    // On a button under the pointer too.
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-yellow-light-color': '#724700',
  },
  dark: {
    '--mantine-color-error': '#ff9a9a',
    '--mantine-color-gate-light': 'rgb(87 189 160 / 16%)',
    '--mantine-color-gate-light-color': '#7dceb6',
    '--mantine-color-red-light': 'rgb(255 110 110 / 14%)',
    '--mantine-color-red-light-color': '#ffb1ab',
    '--mantine-color-yellow-light': 'rgb(255 205 90 / 13%)',
    '--mantine-color-yellow-light-color': '#f8d98a',
    '--mantine-color-anchor': '#7dceb6',
    '--mantine-color-placeholder': '#93a19c',
  },
})
