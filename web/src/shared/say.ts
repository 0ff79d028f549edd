import type { Camera, ReasonResponse } from './api-types.ts'
import type { Texts } from '../i18n/texts.ts'

/** A sentence of the service in the words of the page; undefined for one that it has no words for. */
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

/** Why a camera shows nothing; in the service's own words where there are no others. */
export const noVideoReason = (
  camera: { readonly detail?: string | undefined; readonly reason?: ReasonResponse | undefined },
  texts: Texts,
): string | undefined => translateMessage('cameras', camera.reason, texts) ?? camera.detail

/** Why nothing looks for motion at a camera though it should be, as a sentence; undefined where it is not so. */
export const noMotionReason = (camera: Camera, texts: Texts): string | undefined =>
  camera.motion_state === 'paused'
    ? (translateMessage('cameras', camera.motion_reason, texts) ?? camera.motion_detail ?? '')
    : undefined

/** Why a camera is not recorded though it should be, as what follows on a colon; undefined where it is not so. */
export const notRecordingReason = (camera: Camera, texts: Texts): string | undefined =>
  camera.recording_state === 'paused'
    ? (translateMessage('recordings', camera.recording_reason, texts) ?? camera.recording_detail ?? '')
    : undefined
