import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { profileQuery } from '../session/session.ts'
import { signedOut } from '../shared/api.ts'
import type { ServiceEvent } from '../shared/api-types.ts'
import { socketUrlOf } from '../shared/base.ts'
import { openEventLine } from './event-line.ts'
import { setTold } from './listening.ts'

/**
 * `up`: the line is there for the first time. `down`: it is not. `again`: it is there once more, and what happened
 * meanwhile has to be asked for. `recheck`: what one may see may have changed unheard.
 */
export type Heard = ServiceEvent | { readonly type: 'up' | 'down' | 'again' | 'recheck' }
type Listener = (event: Heard) => void

const ListenersContext = createContext<Set<Listener> | null>(null)

/** The one line to the service over which all parts within hear what happens. It is one person's: another's is another. */
export function Events({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [listeners] = useState(() => new Set<Listener>())

  useEffect(() => {
    const notify = (event: Heard) => {
      for (const listener of listeners) listener(event)
    }
    const whoAmI = () => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }, { cancelRefetch: false })
    const stop = openEventLine({
      url: socketUrlOf('api/events'),
      onEvent: (event) => {
        // Another grant is another profile, and with that all else is asked for anew. What is on its way may be older.
        if (event.type === 'access') void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
        notify(event)
      },
      onUp: (again) => {
        setTold(true)
        notify({ type: again ? 'again' : 'up' })
      },
      onDown: () => {
        setTold(false)
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

/** Hears what happens, for as long as the part is there. */
export function useEvents(listener: Listener): void {
  const listeners = use(ListenersContext)
  const hear = useEffectEvent(listener)
  useEffect(() => {
    const mine: Listener = (event) => hear(event)
    listeners?.add(mine)
    return () => void listeners?.delete(mine)
  }, [listeners])
}
