import { IconChevronLeft } from '@tabler/icons-react'
import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Denied } from '../../ui/feedback/Denied.tsx'
import { useMe } from '../../session/session.ts'
import { useTexts } from '../../i18n/texts.ts'
import { SideMenu } from '../SideMenu.tsx'
import { sectionIcons } from './section-icons.ts'
import { sectionsFor } from './sections.ts'
import classes from './SettingsFrame.module.css'

/** The frame around every settings page, with links to the other sections. */
export function SettingsFrame() {
  const texts = useTexts('settings')
  const mine = sectionsFor(useMe().actions)
  // On a phone the list of sections is a separate page. Pages of single items link back to their own list instead.
  const pathname = useLocation({ select: (at) => at.pathname })
  const atSection = /\/settings\/[^/]+\/?$/.test(pathname)
  const section = useMatches({ select: (matches) => matches.at(-1)?.staticData.section })
  if (mine.length === 0) return <Denied />
  const entries = mine.map(({ path }) => ({
    to: `/settings/${path}` as const,
    icon: sectionIcons[path],
    text: texts.settings.sections[path],
  }))

  return (
    <div className={classes.frame}>
      <SideMenu label={texts.settings.menu} title={texts.settings.title} entries={entries} narrow="hidden" />
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
