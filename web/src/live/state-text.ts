import type { Camera } from '../../../server/src/api-types.ts'
import type { Texts } from '../i18n/texts.ts'
import type { LiveState } from '../player/live/player-types.ts'

/** The state of a camera's video, in a word or two. */
export function stateText(camera: Camera, state: LiveState, states: Texts<'live'>['live']['states']): string {
  if (camera.state === 'disabled') return states.disabled
  switch (state.kind) {
    case 'playing':
      return states.live
    case 'unsupported':
    case 'snapshots':
      return states.stills
    case 'connecting':
    case 'offline':
    case 'lost':
    case 'refused':
    case 'paused':
    case 'ended':
      return states[state.kind]
  }
}
