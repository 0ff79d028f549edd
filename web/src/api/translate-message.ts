import type { Camera, ReasonResponse } from '../../../server/src/api-types.ts'
import { adapters } from '../i18n/message-values.ts'
import type { ServiceTexts } from '../i18n/sentences.ts'
import type { Texts } from '../i18n/texts.ts'

type Values = Readonly<Record<string, unknown>>
type Adapter = (values: Values, texts: Texts) => Values

/** A coded message of the service in the page's language; undefined if there is no translation. */
export function translateMessage(
  section: keyof ServiceTexts,
  message: ReasonResponse | undefined,
  texts: Texts & Partial<ServiceTexts>,
): string | undefined {
  if (message === undefined) return undefined
  // sentences.ts compiles only if the parameters fit the values that the service sends.
  const sentences = own(texts, section) as Readonly<Record<string, string | ((values: Values) => string)>> | undefined
  const found = sentences && own(sentences, message.code)
  if (typeof found !== 'function') return found
  const values = message?.values ?? {}
  const adapter = own((own(adapters, section) ?? {}) as Readonly<Record<string, Adapter>>, message?.code ?? '')
  return found(adapter ? adapter(values, texts) : values)
}

const own = <Value>(of: Readonly<Record<string, Value>> | object, key: string): Value | undefined =>
  Object.hasOwn(of, key) ? (of as Readonly<Record<string, Value>>)[key] : undefined

/** Why a camera shows no video; the service's own words if there is no translation. */
export const noVideoReason = (
  camera: { readonly detail?: string | undefined; readonly reason?: ReasonResponse | undefined },
  texts: Texts<'reasons'>,
): string | undefined => translateMessage('cameraReasons', camera.reason, texts) ?? camera.detail

/** Why motion detection is paused, as a sentence; undefined if it isn't. */
export const noMotionReason = (camera: Camera, texts: Texts<'reasons'>): string | undefined =>
  camera.motion_state === 'paused'
    ? (translateMessage('cameraReasons', camera.motion_reason, texts) ?? camera.motion_detail ?? '')
    : undefined

/** Why recording is paused, as a phrase to follow a colon; undefined if it isn't. */
export const notRecordingReason = (camera: Camera, texts: Texts<'reasons'>): string | undefined =>
  camera.recording_state === 'paused'
    ? (translateMessage('recordingReasons', camera.recording_reason, texts) ?? camera.recording_detail ?? '')
    : undefined
