import { notifications } from '@mantine/notifications'

/** Says that something was done. */
export const done = (message: string): void => void notifications.show({ message, color: 'gate' })
