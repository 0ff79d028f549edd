import type { ProblemResponse } from '../../../../server/src/api-types.ts'
import { ApiError } from '../../api/api.ts'
import { messageOf, problemText } from '../../api/failure.ts'
import { isOvertaken } from '../../cameras/camera-settings.ts'
import type { Texts } from '../../i18n/texts.ts'

/** Why motion settings weren't saved, localized, by what it concerns. */
export interface MotionProblems {
  /** By the mask's index. */
  readonly masks: ReadonlyMap<number, string>
  readonly sensitivity?: string | undefined
  readonly whole?: string | undefined
  /** Problems elsewhere in the configuration. */
  readonly others?: readonly ProblemResponse[]
}

export const noProblems: MotionProblems = { masks: new Map() }

export function motionProblems(
  error: unknown,
  camera: string,
  texts: Texts<'config-problems' | 'motion'>,
): MotionProblems {
  if (isOvertaken(error)) return { ...noProblems, whole: texts.motion.conflict.soon }
  const all = error instanceof ApiError ? (error.failure.problems ?? []) : []
  const own = `cameras.${camera}.motion.`
  const masks = new Map<number, string>()
  const others: ProblemResponse[] = []
  let sensitivity: string | undefined
  for (const problem of all) {
    const field = problem.field.startsWith(own) ? problem.field.slice(own.length) : ''
    const mask = /^masks\[(\d+)\]/.exec(field)?.[1]
    if (mask !== undefined) masks.set(Number(mask), problemText(problem, texts))
    else if (field === 'sensitivity') sensitivity = problemText(problem, texts)
    else others.push(problem)
  }
  return { masks, sensitivity, others, whole: all.length > 0 ? undefined : messageOf(error, texts) }
}
