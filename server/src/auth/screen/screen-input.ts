import type { Caller } from '../../http/caller.ts'
import type { CameraKey, CameraKeys } from '../../shared/camera/camera-keys.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'

export interface ScreenInputDeps {
  readonly keys: CameraKeys
  readonly cameraExists: (name: string) => boolean
}

/** The parts of a rule for a request that says what a screen shows: no more than what the caller sees and hears. */
export const shownParts = ['live', 'audio'] as const

/** @throws ServiceError `forbidden` if a screen would show, or play, what the caller doesn't see or hear */
export function requireLiveAndAudio(audio: boolean, caller: Caller): void {
  if (!caller.hasPart('live') || (audio && !caller.hasPart('audio'))) throw new ServiceError('forbidden')
}

/** @throws ServiceError `invalid-request` for a camera that does not exist */
export function keysOf(names: readonly string[], { keys, cameraExists }: ScreenInputDeps): CameraKey[] {
  const unknown = names.find((name) => !cameraExists(name))
  if (unknown !== undefined) throw invalidField('cameras', fieldProblem('no-such-camera', { camera: unknown }))
  return [...new Set(names)].map((name) => keys.keyOf(name))
}
