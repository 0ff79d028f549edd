import { UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTexts } from '../i18n/texts.ts'
import classes from './SchemeSwitch.module.css'

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const

interface SchemeSwitchProps {
  /** The id of the element that labels the switch. */
  readonly labelledBy: string
  /** Shows words next to the icons. */
  readonly captions?: boolean
}

/** Light, dark, or the system's color scheme; stored in this browser. */
export function SchemeSwitch({ labelledBy, captions = false }: SchemeSwitchProps) {
  const { account } = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()

  return (
    <div role="group" aria-labelledby={labelledBy} className={classes.schemes}>
      {schemes.map(([scheme, Icon]) => (
        <UnstyledButton
          key={scheme}
          aria-pressed={colorScheme === scheme}
          aria-label={account[scheme]}
          title={account[scheme]}
          className={classes.scheme}
          onClick={() => setColorScheme(scheme)}
        >
          <Icon size={18} aria-hidden />
          {captions && <span aria-hidden>{account[scheme]}</span>}
        </UnstyledButton>
      ))}
    </div>
  )
}
