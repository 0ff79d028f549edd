import { notifications } from '@mantine/notifications'

/** Shows a toast for an action that succeeded. */
export const done = (message: string): void => void notifications.show({ message, color: 'gate' })
