import { inScope, type CameraScope } from '../access/grant.ts'
import { isOwner, type Identity, type Owner } from '../access/identity.ts'
import type { Caller } from '../http/caller.ts'
import type { Route } from '../http/route.ts'
import { createBus } from '../shared/bus.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { AccessEvent, ServerEvent } from './event.ts'
import { eventRoutes } from './events.routes.ts'

/** Whom an event is for, of the users who can see its camera now. */
export interface Audience {
  /** Only this user. */
  readonly to?: Owner
  /** Of a review item or an export, Unix milliseconds: only users whose recorded video goes back that far (GRANT-3). */
  readonly start?: number
}

export interface Events {
  readonly routes: readonly Route[]
  /** Sends an event to every connected user for whom it is. */
  publish(event: ServerEvent, audience?: Audience): void
}

/** Streams events to users. */
export function createEvents({ clock, log }: Runtime): Events {
  const bus = createBus<Audience & { readonly event: ServerEvent }>(log)

  /** Reads the scope at each event, because reauthorization can change it. */
  const listen = (caller: Caller, send: (event: ServerEvent | AccessEvent) => void): (() => void) => {
    caller.onGrantChange(() => send({ type: 'access' }))
    return bus.subscribe(({ event, to, start }) => {
      const scope = scopeOfEvent(event, caller)
      if (inScope(scope, event.camera) && isWithin(scope, event, start) && isFor(to, caller.identity)) send(event)
    })
  }

  return {
    publish: (event, audience) => bus.publish({ ...audience, event }),
    routes: eventRoutes({ listen, clock }),
  }
}

const scopeOfEvent = ({ type }: ServerEvent, caller: Caller): CameraScope =>
  type === 'camera' ? caller.scope : caller.scopeOfPart(type === 'export' ? 'export' : 'review')

const isWithin = ({ since }: CameraScope, { type }: ServerEvent, start = 0): boolean =>
  type === 'camera' || type === 'seen' || start >= since

const isFor = (to: Owner | undefined, identity: Identity): boolean =>
  to === undefined || (identity.kind === 'authenticated' && isOwner(identity, to))
