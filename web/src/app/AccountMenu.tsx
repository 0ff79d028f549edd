import { Popover, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconLogout, IconUserCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useSignOut } from '../session/useSignOut.ts'
import type { Profile } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import classes from './AccountMenu.module.css'
import { SchemeSwitch } from '../ui/SchemeSwitch.tsx'

/** The signed-in user and role, with links to the account page, appearance and signing out. */
export function AccountMenu({ me }: { me: Profile }) {
  const { account } = useTexts()
  const [open, setOpen] = useState(false)
  const signOut = useSignOut(me)
  const appearance = useId()
  const label = account.menu({ name: me.username, role: me.role })

  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={260}
      shadow="lg"
      radius="lg"
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <UnstyledButton className={classes.target} aria-label={label} onClick={() => setOpen(!open)}>
          {/* Drawn with CSS: as text, the visible label would not match the start of the button's name. */}
          <span className={classes.initial} data-initial={Array.from(me.username)[0]?.toUpperCase()} aria-hidden />
          <span className={classes.who}>
            <span className={classes.name}>{me.username}</span> <span className={classes.role}>{me.role}</span>
          </span>
          <IconChevronDown size={16} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={label}>
        <div className={classes.head} data-testid="account-identity">
          <Text fw={600} truncate>
            {me.username}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {me.role}
          </Text>
        </div>
        <div className={classes.part}>
          <Link to="/account" className={classes.item} onClick={() => setOpen(false)} data-autofocus>
            <IconUserCog size={18} aria-hidden />
            {account.open}
          </Link>
        </div>
        <div className={classes.part}>
          <Text size="sm" c="dimmed" id={appearance} mb={6}>
            {account.appearance}
          </Text>
          <SchemeSwitch labelledBy={appearance} />
        </div>
        {signOut.kind !== 'none' && (
          <div className={classes.part}>
            {signOut.kind === 'link' ? (
              <a
                href={signOut.href}
                className={classes.item}
                onClick={(event) => {
                  event.preventDefault()
                  signOut.act()
                }}
              >
                <IconLogout size={18} aria-hidden />
                {account.signOut}
              </a>
            ) : (
              <UnstyledButton className={classes.item} onClick={signOut.act}>
                <IconLogout size={18} aria-hidden />
                {account.signOut}
              </UnstyledButton>
            )}
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
