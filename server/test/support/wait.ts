import { setTimeout as systemSleep } from 'node:timers/promises'

/**
 * Lets real time pass. Only where neither a clock that the test moves nor an event can replace it: another process, a
 * browser, video at its own speed, or to see that nothing happens.
 *
 * @param _reason why the test has to wait
 */
export const wait = (milliseconds: number, _reason: string): Promise<void> => systemSleep(milliseconds)
