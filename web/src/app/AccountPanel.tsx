import { Text, UnstyledButton } from '@mantine/core'
import { IconLogout, IconUserCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { shownName } from '../session/session.ts'
import { useSignOut } from '../session/useSignOut.ts'
import type { Profile } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import classes from './AccountPanel.module.css'
import { Panel } from '../ui/popovers/Panel.tsx'
import { SchemeSwitch } from '../ui/SchemeSwitch.tsx'
import type { PanelState } from '../ui/popovers/usePanel.ts'

interface AccountPanelProps {
  readonly me: Profile
  readonly label: string
  readonly panel: PanelState
}

/** The user and role, with links to the account page, appearance and signing out. */
export function AccountPanel({ me, label, panel }: AccountPanelProps) {
  const { account } = useTexts()
  const signOut = useSignOut(me)
  const appearance = useId()

  return (
    <Panel {...panel} label={label} width={260} className={classes.dropdown}>
      <div className={classes.head} data-testid="account-identity">
        <Text fw={600} truncate>
          {shownName(me)}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {me.role}
        </Text>
      </div>
      <div className={classes.part}>
        <Link to="/account" className={classes.item} onClick={() => panel.onChange(false)} data-autofocus>
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
    </Panel>
  )
}
