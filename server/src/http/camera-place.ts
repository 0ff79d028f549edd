import { Type, type TSchema } from 'typebox'
import type { CameraOf } from '../access/rule.ts'

/** Where routes of a camera's video are: at the camera, or at a share link that shows it. */
export interface CameraPlace {
  readonly path: `/${string}`
  readonly params: Readonly<Record<string, TSchema>>
  /** The part of their rules that finds the camera. */
  readonly access: { readonly of: CameraOf; readonly link?: true }
}

export const atCamera: CameraPlace = {
  path: '/api/cameras/:camera',
  params: { camera: Type.String() },
  access: { of: 'path' },
}
