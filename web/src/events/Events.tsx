import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { profileQuery } from '../session/session.ts'
import { signedOut } from '../api/api.ts'
import type { ServiceEvent } from '../../../server/src/api-types.ts'
import { socketUrlOf } from '../lib/base.ts'
import { openEventLine } from './event-line.ts'
import { setListening } from './listening.ts'

/**
 * `up`: the connection opened for the first time. `down`: it is closed. `again`: it reopened, and whatever changed in
 * between has to be refetched. `recheck`: access may have changed unnoticed.
 */
export type LineEvent = ServiceEvent | { readonly type: 'up' | 'down' | 'again' | 'recheck' }
type Listener = (event: LineEvent) => void

const ListenersContext = createContext<Set<Listener> | null>(null)

/** The one connection to the service through which all components receive events. Belongs to one user's session. */
export function Events({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [listeners] = useState(() => new Set<Listener>())

  useEffect(() => {
    const notify = (event: LineEvent) => {
      for (const listener of listeners) listener(event)
    }
    const whoAmI = () => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }, { cancelRefetch: false })
    const stop = openEventLine({
      url: socketUrlOf('api/events'),
      onEvent: (event) => {
        // A new grant means a new profile, which refetches everything else. A response already on its way may be older.
        if (event.type === 'access') void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
        notify(event)
      },
      onUp: (again) => {
        setListening(true)
        // The grant can have changed in between.
        if (again) whoAmI()
        notify({ type: again ? 'again' : 'up' })
      },
      onDown: () => {
        setListening(false)
        notify({ type: 'down' })
      },
      onSessionEnded: signedOut,
      onRenewed: () => notify({ type: 'recheck' }),
      onDoubt: () => {
        whoAmI()
        notify({ type: 'recheck' })
      },
    })
    return stop
  }, [listeners, queries])

  return <ListenersContext value={listeners}>{children}</ListenersContext>
}

/** Receives events while the component is mounted. */
export function useEvents(listener: Listener): void {
  const listeners = use(ListenersContext)
  const receive = useEffectEvent(listener)
  useEffect(() => {
    const ownListener: Listener = (event) => receive(event)
    listeners?.add(ownListener)
    return () => void listeners?.delete(ownListener)
  }, [listeners])
}
