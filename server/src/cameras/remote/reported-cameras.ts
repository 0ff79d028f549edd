import { cameraReportIn, type ReportedCamera } from './camera-report.ts'

/** What is known of a camera of another instance. */
export type Known = ReportedCamera | 'unknown' | 'away'

/** What other instances report of their cameras, as long as they are connected. */
export interface ReportedCameras {
  /** @param key of the camera */
  of(instance: string, key: string): Known
  /** Takes the report of an instance; anything else is left out. */
  receive(instance: string, report: unknown): void
  /** An instance is connected, and reports all its cameras. What was known before a short interruption stays known. */
  connected(instance: string): void
  /** Nothing of an instance is known anymore. */
  away(instance: string): void
  /** Whether an instance can't be reached; false before the first attempt has ended. */
  isAway(instance: string): boolean
  /** Calls the listener after a change, with the key of the camera; undefined: any. @returns a function that ends the subscription */
  subscribe(listener: (instance: string, key: string | undefined) => void): () => void
}

export function createReportedCameras(): ReportedCameras {
  const instances = new Map<string, Map<string, ReportedCamera> | 'away'>()
  const listeners = new Set<(instance: string, key: string | undefined) => void>()
  const notify = (instance: string, key?: string): void => {
    for (const listener of listeners) listener(instance, key)
  }
  return {
    of(instance, key) {
      const known = instances.get(instance)
      return known === 'away' ? known : (known?.get(key) ?? 'unknown')
    },
    receive(instance, report) {
      const valid = cameraReportIn(report)
      const known = instances.get(instance)
      if (!valid || !known || known === 'away') return
      known.set(valid.key, valid.camera)
      notify(instance, valid.key)
    },
    connected(instance) {
      const known = instances.get(instance)
      if (!known || known === 'away') instances.set(instance, new Map())
      notify(instance)
    },
    away(instance) {
      instances.set(instance, 'away')
      notify(instance)
    },
    isAway: (instance) => instances.get(instance) === 'away',
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
