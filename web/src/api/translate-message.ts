import type { Camera, ReasonResponse } from '../../../server/src/api-types.ts'
import type { Texts } from '../i18n/texts.ts'

/** A coded message of the service in the page's language; undefined if there is no translation. */
export function translateMessage(
  of: keyof Texts['service'],
  message: ReasonResponse | undefined,
  texts: Texts,
): string | undefined {
  const sentences: object = texts.service[of]
  if (message === undefined || !Object.hasOwn(sentences, message.code)) return undefined
  const found = (sentences as Readonly<Record<string, string | ((values: object) => string)>>)[message.code]
  return typeof found === 'function' ? found(message.values ?? {}) : found
}

/** Why a camera shows no video; the service's own words if there is no translation. */
export const noVideoReason = (
  camera: { readonly detail?: string | undefined; readonly reason?: ReasonResponse | undefined },
  texts: Texts,
): string | undefined => translateMessage('cameras', camera.reason, texts) ?? camera.detail

/** Why motion detection is paused, as a sentence; undefined if it isn't. */
export const noMotionReason = (camera: Camera, texts: Texts): string | undefined =>
  camera.motion_state === 'paused'
    ? (translateMessage('cameras', camera.motion_reason, texts) ?? camera.motion_detail ?? '')
    : undefined

/** Why recording is paused, as a phrase to follow a colon; undefined if it isn't. */
export const notRecordingReason = (camera: Camera, texts: Texts): string | undefined =>
  camera.recording_state === 'paused'
    ? (translateMessage('recordings', camera.recording_reason, texts) ?? camera.recording_detail ?? '')
    : undefined
