import { Outlet } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.ts'
import { useMe } from '../../session/session.ts'
import { SideMenu } from '../SideMenu.tsx'
import classes from './AccountFrame.module.css'
import { sectionsFor } from './sections.ts'

/** The frame around the pages of the signed-in user, with links to the others. A single page has no menu. */
export function AccountFrame() {
  const { account, accountSections } = useTexts('account')
  const mine = sectionsFor(useMe())
  const entries = mine.map(({ to, label, icon }) => ({
    to,
    icon,
    text: accountSections[label],
    exact: to === '/account',
  }))
  return (
    <div className={classes.frame}>
      {mine.length > 1 && <SideMenu label={account.page} entries={entries} narrow="row" />}
      <div className={classes.page}>
        <Outlet />
      </div>
    </div>
  )
}
