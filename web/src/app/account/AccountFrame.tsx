import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { useMe } from '../../session/session.ts'
import classes from './AccountFrame.module.css'
import { sectionsFor } from './sections.ts'

/** The frame around the pages of the signed-in user, with links to the others. A single page has no menu. */
export function AccountFrame() {
  const { account, accountSections } = useTexts('account')
  const mine = sectionsFor(useMe())
  // The path can begin with that of the service.
  const path = useLocation({ select: ({ pathname }) => `${pathname}/` })
  const at = mine.findLastIndex(({ to }) => path.includes(`${to}/`))
  const menu = useRef<HTMLElement>(null)
  // On a phone, the entry of the page can be beyond the edge.
  useEffect(() => {
    menu.current?.children[at]?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [at])

  return (
    <div className={classes.frame}>
      {mine.length > 1 && (
        <nav ref={menu} className={classes.nav} aria-label={account.page}>
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
