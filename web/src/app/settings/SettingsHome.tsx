import { Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link, Navigate } from '@tanstack/react-router'
import { useNarrow } from '../../ui/breakpoints.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { useMe } from '../../session/session.ts'
import { useTexts } from '../../i18n/texts.ts'
import { sectionIcons } from './section-icons.ts'
import { sectionsFor } from './sections.ts'
import bordered from '../../ui/lists/BorderedList.module.css'
import classes from './SettingsHome.module.css'

/** The settings menu on screens too narrow to show it next to the page (see SettingsFrame.module.css). */
export function SettingsHome() {
  const texts = useTexts('settings')
  const mine = sectionsFor(useMe().actions)
  const narrow = useNarrow('medium')
  const first = mine[0]
  if (!narrow && first) return <Navigate to={`/settings/${first.path}`} replace />

  return (
    <div className={classes.home}>
      <PageTitle of={texts.menu.settings} />
      <Title order={1} size="h2">
        {texts.settings.title}
      </Title>
      <ul className={bordered.list}>
        {mine.map(({ path }) => {
          const Icon = sectionIcons[path]
          return (
            <li key={path}>
              <Link to={`/settings/${path}`} className={classes.entry}>
                <span className={classes.icon}>
                  <Icon size={20} aria-hidden />
                </span>
                <span className={classes.text}>
                  <span className={classes.label}>{texts.settings.sections[path]}</span>
                  <span className={classes.about}>{texts.settings.about[path]}</span>
                </span>
                <IconChevronRight size={18} aria-hidden className={classes.chevron} />
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
