import { drawingOf, rebaseDrawing, type Drawing } from './mask/drawing.ts'
import { sameMotion, type MotionSettings } from './motion-settings.ts'

/** Unsaved changes of a camera's motion settings. */
export interface MotionEdit {
  /** The settings that the changes are based on. */
  readonly base: MotionSettings
  readonly drawing: Drawing
  readonly detection: Pick<MotionSettings, 'enabled' | 'sensitivity'>
}

export type MotionEditEvent =
  | { readonly type: 'draw'; readonly step: (drawing: Drawing) => Drawing }
  | { readonly type: 'detection'; readonly change: Partial<MotionEdit['detection']> }
  /** The service has saved these settings; anything drawn since stays. */
  | { readonly type: 'saved'; readonly settings: MotionSettings }
  /** Other settings became active. Changes to the previous ones are left alone. */
  | { readonly type: 'active'; readonly settings: MotionSettings }
  /** Starts over from these settings. */
  | { readonly type: 'discard'; readonly settings: MotionSettings }
  /** Keeps the changes, to be saved over these settings. */
  | { readonly type: 'keep'; readonly settings: MotionSettings }

export const editOf = (settings: MotionSettings): MotionEdit => ({
  base: settings,
  drawing: drawingOf(settings.masks),
  detection: { enabled: settings.enabled, sensitivity: settings.sensitivity },
})

export const editedSettings = ({ detection, drawing }: MotionEdit): MotionSettings => ({
  ...detection,
  masks: drawing.masks.map(({ points }) => points),
})

export const isChanged = (edit: MotionEdit): boolean =>
  !sameMotion(editedSettings(edit), edit.base) || edit.drawing.begun !== undefined

export function afterEdit(edit: MotionEdit, event: MotionEditEvent): MotionEdit {
  switch (event.type) {
    case 'draw':
      return { ...edit, drawing: event.step(edit.drawing) }
    case 'detection':
      return { ...edit, detection: { ...edit.detection, ...event.change } }
    case 'saved':
    case 'keep':
      // The ids of masks are their indexes in the file.
      return { ...edit, base: event.settings, drawing: rebaseDrawing(edit.drawing, event.settings.masks) }
    case 'active':
      if (sameMotion(editedSettings(edit), event.settings) && !edit.drawing.begun) {
        return { ...edit, base: event.settings }
      }
      return isChanged(edit) ? edit : editOf(event.settings)
    case 'discard':
      return editOf(event.settings)
  }
}
