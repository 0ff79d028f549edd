import type { Camera, ReasonShown } from './api-types.ts'
import type { Texts } from './texts/texts.ts'

/** A sentence of the service in the words of the page; undefined for one that it has no words for. */
export function say(of: keyof Texts['service'], said: ReasonShown | undefined, texts: Texts): string | undefined {
  const sentences: object = texts.service[of]
  if (said === undefined || !Object.hasOwn(sentences, said.code)) return undefined
  const found = (sentences as Readonly<Record<string, string | ((values: object) => string)>>)[said.code]
  return typeof found === 'function' ? found(said.values ?? {}) : found
}

/** Why a camera shows nothing; in the service's own words where there are no others. */
export const whyNoPicture = (
  camera: { readonly detail?: string | undefined; readonly reason?: ReasonShown | undefined },
  texts: Texts,
): string | undefined => say('cameras', camera.reason, texts) ?? camera.detail

/** Why nothing looks for motion at a camera though it should be, as a sentence; undefined where it is not so. */
export const whyNoMotion = (camera: Camera, texts: Texts): string | undefined =>
  camera.motion_state === 'paused'
    ? (say('cameras', camera.motion_reason, texts) ?? camera.motion_detail ?? '')
    : undefined

/** Why a camera is not recorded though it should be, as what follows on a colon; undefined where it is not so. */
export const whyNotRecording = (camera: Camera, texts: Texts): string | undefined =>
  camera.recording_state === 'paused'
    ? (say('recordings', camera.recording_reason, texts) ?? camera.recording_detail ?? '')
    : undefined
