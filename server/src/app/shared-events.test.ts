import { expect, test } from 'vitest'
import type { Cameras } from '../cameras/cameras.ts'
import type { ServerEvent } from '../events/event.ts'
import type { Audience } from '../events/events.ts'
import type { Core } from './core.ts'
import type { InnerConnections } from './inner.ts'
import { createSharedEvents } from './shared-events.ts'

test('[GRANT-3] an event reaches the users of another instance with its audience', () => {
  const sent: unknown[] = []
  const published: [ServerEvent, Audience | undefined][] = []
  let receive: ((instance: string, message: unknown) => void) | undefined
  const inner = {
    messages: {
      send: (message: unknown) => void sent.push(JSON.parse(JSON.stringify(message))),
      start: (handlers: { receive: typeof receive }) => void (receive = handlers.receive),
      routes: [],
    },
    reports: {},
  } as unknown as InnerConnections
  const events = { publish: (...each: [ServerEvent, Audience?]) => void published.push([each[0], each[1]]) }
  const cameras = { subscribe: () => {} } as unknown as Cameras
  const shared = createSharedEvents({} as Core, { events, cameras, inner })
  shared.connect()
  const event: ServerEvent = { type: 'review', change: 'created', camera: 'yard', id: 'a', severity: 'alert' }
  const to = { authMethod: 'password', key: 'sue', userId: null } as const
  for (const audience of [{ start: 7 }, { to }]) {
    shared.publish(event, audience)
    receive?.('other', sent.pop())
    expect(published.splice(0)).toEqual([
      [event, audience],
      [event, expect.objectContaining(audience)],
    ])
  }
})
