import { IconVideoOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { NoPage } from '../../ui/feedback/NoPage.tsx'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { failureAmong, loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { cameraSettingsQuery, settingsOf } from '../../cameras/camera-settings.ts'
import { EditedByHand } from '../EditedByHand.tsx'
import page from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { MotionEditor } from './MotionEditor.tsx'

/** The motion settings of one camera. */
export function MotionPage() {
  const { camera: item } = useParams({ from: '/framed/settings/cameras/$camera/motion' })
  const { motion } = useTexts('motion')
  const cameras = loadOf(useQuery(camerasQuery))
  const settings = loadOf(useQuery(cameraSettingsQuery))

  const failed = failureAmong(cameras, settings)
  if (cameras.state !== 'ready' || settings.state !== 'ready') {
    if (failed) return <ErrorState {...failed} />
    return (
      <div className={page.page}>
        <ListSkeleton />
      </div>
    )
  }
  const camera = cameras.value.find(({ name }) => name === item)
  const own = settingsOf(settings.value, item)
  if (!camera || !own)
    return (
      <NoPage
        icon={IconVideoOff}
        title={motion.goneTitle}
        body={motion.gone({ camera: item })}
        to="/settings/cameras"
        label={motion.up}
      />
    )
  return (
    <div className={page.page}>
      <SectionHead
        title={motion.title({ camera: titleOf(camera) })}
        lead={motion.lead}
        up={{ to: '/settings/cameras', label: motion.up }}
      />
      {!settings.value.editable && <EditedByHand />}
      <MotionEditor
        camera={camera}
        known={settings.value}
        newest={own.motion}
        stale={cameras.stale || settings.stale}
      />
    </div>
  )
}
