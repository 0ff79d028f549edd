import { IconChevronLeft } from '@tabler/icons-react'
import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Denied } from '../../ui/Denied.tsx'
import { useMe } from '../../session/session.ts'
import { useTexts } from '../../i18n/texts.ts'
import { sectionIcons } from './section-icons.ts'
import { sectionsFor } from './sections.ts'
import classes from './SettingsFrame.module.css'

/** The frame around every settings page, with links to the other sections. */
export function SettingsFrame() {
  const texts = useTexts('settings')
  const mine = sectionsFor(useMe().actions)
  // On a phone the list of sections is a separate page. Pages of single items link back to their own list instead.
  const atSection = useLocation({ select: ({ pathname }) => /\/settings\/[^/]+\/?$/.test(pathname) })
  const section = useMatches({ select: (matches) => matches.at(-1)?.staticData.section })
  if (mine.length === 0) return <Denied />

  return (
    <div className={classes.frame}>
      <nav className={classes.nav} aria-label={texts.settings.menu}>
        <p className={classes.title} aria-hidden>
          {texts.settings.title}
        </p>
        {mine.map(({ path }) => {
          const Icon = sectionIcons[path]
          return (
            <Link
              key={path}
              to={`/settings/${path}`}
              className={classes.entry}
              activeProps={{ 'aria-current': 'page' }}
            >
              <Icon size={20} aria-hidden />
              <span>{texts.settings.sections[path]}</span>
            </Link>
          )
        })}
      </nav>
      <div className={classes.page}>
        {atSection && (
          <Link to="/settings" className={classes.back}>
            <IconChevronLeft size={18} aria-hidden className={classes.flip} />
            {texts.settings.title}
          </Link>
        )}
        {section === undefined || mine.some(({ path }) => path === section) ? <Outlet /> : <Denied />}
      </div>
    </div>
  )
}
