import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { camerasQuery, titleOf } from '../cameras/queries.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { useIsStillMe } from '../session/session.ts'
import { endedSince, isUnfinished } from './ended.ts'
import { ExportsLink } from './ExportsLink.tsx'
import { recentExports } from './queries.ts'
import { useExportEvents } from './useExportEvents.ts'

/** The user's running exports. Shows a notification when one ends, on whatever page is open. */
export function useExportNews(): readonly Export[] {
  useExportEvents()
  const { data } = useQuery(recentExports)
  const before = useRef<readonly Export[]>(undefined)
  const notifyEnd = useEffectEvent(useNotifyEnd())

  useEffect(() => {
    if (!data) return
    for (const one of endedSince(before.current, data.items)) void notifyEnd(one)
    before.current = data.items
  }, [data])

  return data?.items.filter((one) => one.own && isUnfinished(one)) ?? []
}

function useNotifyEnd() {
  const { exportTray } = useTexts()
  const queries = useQueryClient()
  const router = useRouter()
  const isStillMe = useIsStillMe()

  return async (one: Export) => {
    // Fetched only here, since most pages do not need the cameras.
    const cameras = one.name ? [] : await queries.ensureQueryData(camerasQuery).catch(() => [])
    const camera = cameras.find(({ name }) => name === one.camera)
    const name = one.name || (camera ? titleOf(camera) : one.camera)
    const { notifyWithAction } = await import('../ui/feedback/notify.ts')
    if (!isStillMe()) return
    const done = one.state === 'done'
    notifyWithAction({
      id: `export-${one.id}`,
      color: done ? 'gate' : 'red',
      seconds: 15,
      message: (close) => (
        <>
          {done ? exportTray.ready({ name }) : exportTray.failed({ name })}{' '}
          <ExportsLink router={router} close={close} {...(done && { play: one.id })}>
            {exportTray.show}
          </ExportsLink>
        </>
      ),
    })
  }
}
