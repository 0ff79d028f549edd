import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { provideToasts } from './ToastArea.tsx'
import { Toasts } from './Toasts.tsx'

provideToasts(Toasts, () => {
  notifications.cleanQueue()
  notifications.clean()
})

/** Shows a toast for an action that succeeded. */
export const notifySuccess = (message: string): void => void notifications.show({ message, color: 'gate' })

/** Shows a toast for an action that failed and has no dialog or form to say so. */
export const notifyFailure = (message: string): void =>
  void notifications.show({ message, color: 'red', role: 'alert' })

interface ActionNotice {
  /** Replaces the toast with the same id. */
  readonly id: string
  readonly color: 'gate' | 'red'
  /** Seconds until it disappears. */
  readonly seconds: number
  readonly message: (close: () => void) => ReactNode
}

/** Shows a toast with a link or a button. */
export function notifyWithAction({ id, color, seconds, message }: ActionNotice): void {
  const close = () => void notifications.hide(id)
  close()
  notifications.show({ id, color, autoClose: seconds * 1000, message: message(close) })
}
