import { Button, Text } from '@mantine/core'
import { IconCheck, IconClockPause, IconDeviceCctv, IconLock, IconUserCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessPreview } from '../../../../server/src/api-types.ts'
import { camerasQuery } from '../../cameras/queries.ts'
import { useSnapshot } from '../../cameras/useSnapshot.ts'
import { translateMessage } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatAge, formatTimeRange } from '../../lib/format-time.ts'
import { labelFor } from '../../lib/label-for.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import classes from './AccessPage.module.css'
import type { PreviewKind } from './preview-kind.ts'

/** Cameras shown at first: each loads a snapshot. */
const first = 12

/** The result of an access preview: the role, the rule that gave it, and what it allows. */
export function Outcome({
  of: { user, role, detail, reason, actions, allowed_cameras: cameras, suspended, history_days: days, range },
  kind,
}: {
  of: AccessPreview
  kind: PreviewKind
}) {
  const texts = useTexts('access')
  const { access, label } = texts
  const locale = useLocale()
  const titleOf = useTitles()
  const { data = [] } = useQuery(camerasQuery)
  const online = new Set(data.filter(({ state }) => state === 'online').map(({ name }) => name))
  const [all, setAll] = useState(false)
  const shown = all ? cameras : cameras.slice(0, first)
  const Icon = role === null ? IconLock : suspended ? IconClockPause : IconUserCheck

  return (
    <div className={classes.outcome}>
      <div className={classes.verdict} data-refused={role === null || suspended !== undefined || undefined}>
        <Icon size={26} stroke={1.6} aria-hidden />
        <div>
          <Text fw={600} size="lg" className={classes.who}>
            {user === null
              ? kind === 'headers'
                ? access.unauthenticated
                : access.refused
              : role === null
                ? access.noRole({ user })
                : kind === 'screen'
                  ? access.isScreen({ user })
                  : access.role({ user, role })}
          </Text>
          <Text c="dimmed">
            {label({ what: access.reason })}
            {translateMessage('accessRules', reason, texts) ?? detail}
          </Text>
          {suspended && <Text fw={600}>{access.suspended[suspended]}</Text>}
          {range && <Text>{access.onlyRange({ range: formatTimeRange(range.start, range.end, locale) })}</Text>}
          {days !== null && <Text>{access.oldest({ age: formatAge(days, locale) })}</Text>}
        </div>
      </div>
      <div>
        <h3 className={classes.heading}>{access.sees({ count: cameras.length })}</h3>
        {shown.length > 0 && (
          <ul className={classes.cameras}>
            {shown.map((name) => (
              <li key={name} className={classes.camera}>
                <div className={classes.snapshot}>{online.has(name) ? <Snapshot camera={name} /> : offlineIcon}</div>
                <span className={classes.cameraTitle}>{titleOf(name)}</span>
              </li>
            ))}
          </ul>
        )}
        {shown.length < cameras.length && (
          <Button variant="subtle" onClick={() => setAll(true)}>
            {access.more({ count: cameras.length - shown.length })}
          </Button>
        )}
      </div>
      <div>
        <h3 className={classes.heading}>{access.permissions}</h3>
        {actions.length === 0 ? (
          <Text>{access.noPermissions}</Text>
        ) : (
          <ul className={classes.actions}>
            {actions.map((action) => (
              <li key={action} title={action}>
                <IconCheck size={16} aria-hidden />
                {labelFor(access.actions, action)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

const offlineIcon = <IconDeviceCctv size={26} stroke={1.4} aria-hidden />

/** Has no alt text, because the camera's title is next to it. */
function Snapshot({ camera }: { camera: string }) {
  const snapshot = useSnapshot({ camera, height: 180, every: undefined })
  return snapshot ? <img src={snapshot.url} alt="" /> : null
}
