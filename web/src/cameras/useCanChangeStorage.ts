import { useCan } from '../session/session.ts'

/** Whether Settings > Storage, which requires `system.read`, lets the user change its limits. */
export function useCanChangeStorage(): boolean {
  const [reads, manages] = [useCan('system.read'), useCan('cameras.manage')]
  return reads && manages
}
