import { useLocalStorage } from '@mantine/hooks'
import { useSyncExternalStore } from 'react'

/** The parts of the Network Information API used here. Most browsers do not have that API. */
interface Connection extends EventTarget {
  readonly saveData?: boolean
  readonly effectiveType?: string
}

const connection = (): Connection | undefined => (navigator as { connection?: Connection }).connection

/** Why snapshots replace video: the user chose it, the browser is set to save data, or the connection is slow. */
export type DataSaver = { readonly on: false } | { readonly on: true; readonly reason: 'chosen' | 'requested' | 'slow' }

export function dataSaverOf(
  choice: 'on' | 'off' | undefined,
  { saveData, effectiveType }: Partial<Connection>,
): DataSaver {
  if (choice === 'off') return { on: false }
  if (choice === 'on') return { on: true, reason: 'chosen' }
  if (saveData === true) return { on: true, reason: 'requested' }
  if (effectiveType !== undefined && effectiveType !== '4g') return { on: true, reason: 'slow' }
  return { on: false }
}

function subscribe(changed: () => void): () => void {
  const followed = connection()
  followed?.addEventListener('change', changed)
  return () => followed?.removeEventListener('change', changed)
}

/** Whether to save data, and a setter. The choice is stored in this browser. */
export function useDataSaver(): [DataSaver, (on: boolean) => void] {
  const [choice, setChoice] = useLocalStorage<'on' | 'off' | undefined>({
    key: 'gatehouse-low-data',
    // Read before the first socket opens.
    getInitialValueInEffect: false,
    serialize: (value) => value ?? '',
    deserialize: (text) => (text === 'on' || text === 'off' ? text : undefined),
  })
  const saveData = useSyncExternalStore(subscribe, () => connection()?.saveData === true)
  const effectiveType = useSyncExternalStore(subscribe, () => connection()?.effectiveType ?? '4g')
  return [dataSaverOf(choice, { saveData, effectiveType }), (on) => setChoice(on ? 'on' : 'off')]
}
