import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { sendJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { changeSettings, settingsOf, type KnownSettings } from '../../cameras/camera-settings.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { afterEdit, editedSettings, editOf, isChanged } from './motion-edit.ts'
import { motionProblems, noProblems } from './motion-problems.ts'
import { sameMotion, type MotionSettings } from './motion-settings.ts'

/**
 * Edits and saves a camera's motion settings.
 *
 * @param newest the active settings
 */
export function useMotionEdit(camera: Camera, known: KnownSettings, newest: MotionSettings) {
  const texts = useTexts('config-problems', 'motion')
  const queries = useQueryClient()
  const [edit, dispatch] = useReducer(afterEdit, newest, editOf)
  const { base } = edit

  const isUnchanged = (now: KnownSettings): boolean => {
    const theirs = settingsOf(now, camera.name)?.motion
    return theirs !== undefined && sameMotion(theirs, base)
  }
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (settings: MotionSettings) =>
      changeSettings(known, isUnchanged, (ifMatch) =>
        sendJson('PUT /api/cameras/:camera/motion-settings', { camera: camera.name }, settings, { ifMatch }),
      ),
    onSuccess: async (_sent, settings) => {
      await queries.invalidateQueries({ queryKey: queryKeys.config.all })
      dispatch({ type: 'saved', settings })
      notifySuccess(texts.motion.saved({ camera: titleOf(camera) }))
    },
    // Shows what someone else saved as soon as it is known.
    onError: () => queries.invalidateQueries({ queryKey: queryKeys.config.all }),
  })

  const hasChanges = isChanged(edit)
  const isOvertaken = !sameMotion(newest, base)
  if (isOvertaken && !isPending && afterEdit(edit, { type: 'active', settings: newest }) !== edit) {
    dispatch({ type: 'active', settings: newest })
  }
  return {
    ...edit,
    dispatch,
    hasChanges,
    /** Someone else has saved other settings. */
    isOvertaken,
    /** Those settings conflict with the changes: the user decides. */
    isConflict: isOvertaken && hasChanges && !isPending,
    isPending,
    error,
    problems: error && hasChanges ? motionProblems(error, camera.name, texts) : noProblems,
    save: () => mutate(editedSettings(edit)),
    discard() {
      reset()
      dispatch({ type: 'discard', settings: newest })
    },
    keepMine() {
      reset()
      dispatch({ type: 'keep', settings: newest })
    },
  }
}
