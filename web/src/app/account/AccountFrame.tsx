import { Link, Outlet } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.ts'
import { useMe } from '../../session/session.ts'
import classes from './AccountFrame.module.css'
import { sectionsFor } from './sections.ts'

/** The frame around the pages of the signed-in user, with links to the others. A single page has no menu. */
export function AccountFrame() {
  const { account, accountSections } = useTexts('account')
  const mine = sectionsFor(useMe())

  return (
    <div className={classes.frame}>
      {mine.length > 1 && (
        <nav className={classes.nav} aria-label={account.page}>
          {mine.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className={classes.entry}
              activeOptions={{ exact: to === '/account' }}
              activeProps={{ 'aria-current': 'page' }}
            >
              <Icon size={20} aria-hidden />
              <span>{accountSections[label]}</span>
            </Link>
          ))}
        </nav>
      )}
      <div className={classes.page}>
        <Outlet />
      </div>
    </div>
  )
}
