import { lazy, Suspense, useState } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { useCan } from '../../session/session.ts'
import { dismiss, isDismissed, mayBeDemo } from './demo-notice.ts'

const DemoCameras = lazy(async () => ({ default: (await import('./DemoCameras.tsx')).DemoCameras }))

/** Says once that the cameras are the demo cameras, to a user who can replace them. */
export function DemoNotice({ cameras }: { cameras: readonly Camera[] }) {
  const canAdd = useCan('cameras.manage')
  const [isClosed, setClosed] = useState(isDismissed)
  if (isClosed || !canAdd || !mayBeDemo(cameras)) return null
  const close = () => {
    dismiss()
    setClosed(true)
  }
  return (
    <Suspense>
      <DemoCameras onClose={close} />
    </Suspense>
  )
}
