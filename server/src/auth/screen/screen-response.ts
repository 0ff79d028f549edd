import { Type, type Static } from 'typebox'
import type { CameraKeys } from '../../shared/camera/camera-keys.ts'
import { Timestamp, timestampOf } from '../../shared/http/timestamp.ts'
import { camerasOf, type Screens } from './screens.ts'
import { ScreenLayout } from './screen-layout.ts'
import type { Screen } from './screen-store.ts'
import { nullable } from '../../shared/nullable.ts'

const shown = {
  name: Type.String(),
  cameras: Type.Array(Type.String(), { description: 'Names of its cameras, in the order in which it shows them.' }),
  audio: Type.Boolean({ description: 'Whether it plays audio.' }),
  layout: ScreenLayout,
}

/** A screen, for admins. */
export const ScreenResponse = Type.Object({
  id: Type.String(),
  ...shown,
  confirmed_by: Type.String({ description: 'The admin who confirmed its code.' }),
  created_at: Timestamp,
  last_seen_at: nullable(Timestamp, 'Last request, to the minute; null: the display never connected.'),
  address: nullable(Type.String(), 'Address of the last request.'),
  ended: Type.Boolean({
    description:
      "Whether it shows nothing anymore, because the API token that paired it has ended or its owner can't pair screens anymore.",
  }),
})
export type ScreenResponse = Static<typeof ScreenResponse>

/** A screen, for itself. */
export const OwnScreen = Type.Object(shown)
export type OwnScreen = Static<typeof OwnScreen>

export const ownScreenResponse = (screen: Screen, keys: Pick<CameraKeys, 'nameOf'>): OwnScreen => ({
  name: screen.name,
  cameras: camerasOf(screen, keys),
  audio: screen.audio,
  layout: screen.layout,
})

export interface ScreenResponseDeps {
  readonly keys: Pick<CameraKeys, 'nameOf'>
  readonly screens: Pick<Screens, 'hasEnded'>
}

export const screenResponse = async (
  screen: Screen,
  { keys, screens }: ScreenResponseDeps,
): Promise<ScreenResponse> => ({
  id: screen.id,
  ...ownScreenResponse(screen, keys),
  confirmed_by: screen.confirmedBy,
  created_at: timestampOf(screen.createdAt),
  last_seen_at: screen.lastSeenAt === null ? null : timestampOf(screen.lastSeenAt),
  address: screen.address,
  ended: await screens.hasEnded(screen),
})
