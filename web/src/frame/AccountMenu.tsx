import { Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconChevronDown, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSignOut } from '../session/useSignOut.ts'
import type { Profile } from '../shared/api-types.ts'
import { useTexts } from '../shared/texts/texts.ts'
import classes from './AccountMenu.module.css'

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const

/** Who is signed in and with which role, and what is theirs to set. */
export function AccountMenu({ me }: { me: Profile }) {
  const { account } = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut(me)

  return (
    <Menu position="bottom-end" width={260} shadow="lg" radius="lg">
      <Menu.Target>
        <UnstyledButton className={classes.target} aria-label={account.menu(me.username, me.role)}>
          <span className={classes.initial} aria-hidden>
            {Array.from(me.username)[0]?.toUpperCase()}
          </span>
          <span className={classes.who}>
            <span className={classes.name}>{me.username}</span>
            <span className={classes.role}>{me.role}</span>
          </span>
          <IconChevronDown size={16} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <div className={classes.head} data-testid="account-identity">
          <Text fw={600} truncate>
            {me.username}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {me.role}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUserCog size={18} aria-hidden />}>
          {account.open}
        </Menu.Item>
        <Menu.Divider />
        <div className={classes.appearance}>
          <Text size="sm" c="dimmed" id="appearance" mb={6}>
            {account.appearance}
          </Text>
          <div role="group" aria-labelledby="appearance" className={classes.schemes}>
            {schemes.map(([scheme, Icon]) => (
              <Menu.Item
                key={scheme}
                role="menuitemradio"
                aria-checked={colorScheme === scheme}
                aria-label={account[scheme]}
                title={account[scheme]}
                closeMenuOnClick={false}
                className={classes.scheme}
                onClick={() => setColorScheme(scheme)}
              >
                <Icon size={18} aria-hidden />
              </Menu.Item>
            ))}
          </div>
        </div>
        {signOut.kind !== 'none' && (
          <>
            <Menu.Divider />
            {signOut.kind === 'link' ? (
              <Menu.Item
                component="a"
                href={signOut.href}
                leftSection={<IconLogout size={18} aria-hidden />}
                onClick={(event) => {
                  event.preventDefault()
                  signOut.act()
                }}
              >
                {account.signOut}
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={signOut.act}>
                {account.signOut}
              </Menu.Item>
            )}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
