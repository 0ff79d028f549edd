import { Type, type Static } from 'typebox'
import type { Owner } from '../access/identity.ts'
import type { CameraResponse } from '../cameras/camera-response.ts'
import type { Cameras } from '../cameras/cameras.ts'
import type { CameraReport } from '../cameras/remote/camera-report.ts'
import { liveInnerRoutes } from '../cameras/remote/live.inner-routes.ts'
import { ServerEvent } from '../events/event.ts'
import type { Audience, Events } from '../events/events.ts'
import { compiledValidator } from '../shared/compiled-validator.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import type { Core } from './core.ts'
import type { InnerConnections } from './inner.ts'
import { nullable } from '../shared/nullable.ts'

/** An event for the users of every instance, with its audience. */
const EventMessage = Type.Object({
  event: ServerEvent,
  to: Type.Optional(
    Type.Object({
      authMethod: Type.Unsafe<Owner['authMethod']>(Type.String()),
      key: Type.String(),
      userId: nullable(Type.String()),
    }),
  ),
  start: Type.Optional(Type.Number()),
})
type EventMessage = Static<typeof EventMessage>

const isEventMessage = (message: unknown): message is EventMessage => compiledValidator(EventMessage).Check(message)

/** Events for users, of whatever instance. */
export interface SharedEvents {
  /** Sends an event to the users of every instance. */
  publish(event: ServerEvent, audience?: Audience): void
  /** What other instances read here. */
  readonly innerRoutes: readonly InnerRoute[]
  /** Connects with the other instances. */
  connect(): void
}

export interface SharedEventsDeps {
  readonly events: Pick<Events, 'publish'>
  readonly cameras: Cameras
  /** undefined: there are no other instances */
  readonly inner: InnerConnections | undefined
}

/** Also sends the changes of cameras: their state as an event to the users here, and all of a camera here to the other instances. */
export function createSharedEvents(
  { registry, clock }: Pick<Core, 'registry' | 'clock'>,
  { events, cameras, inner }: SharedEventsDeps,
): SharedEvents {
  const reportOf = ({ name, title: _title, ...camera }: CameraResponse): CameraReport => ({
    key: registry.keyOf(name),
    camera,
  })
  cameras.subscribe((camera, isState) => {
    if (isState) events.publish(cameraEvent(camera))
    if (cameras.isHere(camera.name)) inner?.messages.send(reportOf(camera))
  })
  const receive = (instance: string, message: unknown): void => {
    if (isEventMessage(message)) events.publish(message.event, message)
    else inner?.reports.receive(instance, message)
  }
  return {
    innerRoutes: inner ? [...liveInnerRoutes({ cameras, keys: registry, clock }), ...inner.messages.routes] : [],
    publish(event, audience) {
      events.publish(event, audience)
      inner?.messages.send({ ...audience, event } satisfies EventMessage)
    },
    connect: () => inner?.messages.start({ ...inner.reports, receive }, () => cameras.own().map(reportOf)),
  }
}

const cameraEvent = ({
  name,
  title: _t,
  detail: _d,
  reason: _r,
  resolution: _s,
  fps: _f,
  codec: _c,
  ...state
}: CameraResponse): ServerEvent => ({
  type: 'camera',
  camera: name,
  ...state,
})
