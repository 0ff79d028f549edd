import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { lazy } from 'react'
import type { Profile } from '../../../server/src/api-types.ts'
import { shownName } from '../session/session.ts'
import { useTexts } from '../i18n/texts.ts'
import { LoadingRing } from '../ui/feedback/LoadingRing.tsx'
import { usePanel } from '../ui/popovers/usePanel.ts'
import classes from './AccountMenu.module.css'

const load = () => import('./AccountPanel.tsx')
const AccountPanel = lazy(async () => ({ default: (await load()).AccountPanel }))

/** The signed-in user and role. Opens the account panel. */
export function AccountMenu({ me }: { me: Profile }) {
  const { account } = useTexts()
  const { button, panel, loading } = usePanel(load)
  const name = shownName(me)
  const label = account.menu({ name, role: me.role })

  return (
    <>
      <UnstyledButton {...button} className={classes.target} aria-label={label}>
        {/* Drawn with CSS: as text, the visible label would not match the start of the button's name. */}
        <span className={classes.initial} data-initial={Array.from(name)[0]?.toUpperCase()} aria-hidden>
          {loading && <LoadingRing />}
        </span>
        <span className={classes.who}>
          <span className={classes.name}>{name}</span> <span className={classes.role}>{me.role}</span>
        </span>
        <IconChevronDown size={16} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      {panel && <AccountPanel me={me} label={label} panel={panel} />}
    </>
  )
}
