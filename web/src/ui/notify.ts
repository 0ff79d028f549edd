import { notifications } from '@mantine/notifications'

/** Shows a toast for an action that succeeded. */
export const notifySuccess = (message: string): void => void notifications.show({ message, color: 'gate' })

/** Shows a toast for an action that failed and has no dialog or form to say so. */
export const notifyFailure = (message: string): void =>
  void notifications.show({ message, color: 'red', role: 'alert' })
