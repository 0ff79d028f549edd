import { useEffect, useRef, useState } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { notRecordingReason } from '../../api/translate-message.ts'
import { titleOf } from '../../cameras/queries.ts'
import { joinSentences } from '../../i18n/join-sentences.ts'
import { useTexts } from '../../i18n/texts.ts'

/** Announces to screen readers which cameras went offline or came back, and which stopped or resumed recording. */
export function StateAnnouncer({ cameras }: { cameras: readonly Camera[] }) {
  const texts = useTexts('live', 'reasons')
  const { live } = texts
  const before = useRef(new Map<string, Camera>())
  const [news, setNews] = useState('')
  useEffect(() => {
    const changed = cameras.flatMap((camera) => {
      const was = before.current.get(camera.name)
      if (!was) return []
      const title = titleOf(camera)
      const [notBefore, notNow] = [notRecordingReason(was, texts), notRecordingReason(camera, texts)]
      return [
        ...(was.state === 'online' && camera.state === 'offline' ? [live.wentOffline({ title })] : []),
        ...(was.state === 'offline' && camera.state === 'online' ? [live.cameBack({ title })] : []),
        ...(notBefore === undefined && notNow !== undefined ? [live.stoppedRecording({ title, reason: notNow })] : []),
        ...(notBefore !== undefined && camera.recording ? [live.recordsAgain({ title })] : []),
      ]
    })
    before.current = new Map(cameras.map((camera) => [camera.name, camera]))
    if (changed.length > 0) setNews(joinSentences(changed, texts))
  }, [cameras, live, texts])
  return (
    <div role="status" className="visually-hidden">
      {news}
    </div>
  )
}
