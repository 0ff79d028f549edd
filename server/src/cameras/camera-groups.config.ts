import { Type } from 'typebox'
import { cameraNamePattern } from '../shared/camera/camera-name.ts'
import type { CodedMessage } from '../shared/messages/coded-message.ts'
import { table, type ConfigOf } from '../config/key.ts'
import { configProblem } from '../config/problem-codes.ts'
import { shownText, type SectionReport } from '../config/problem-collector.ts'

export const CameraGroupsConfig = table(Type.Array(Type.String(), { default: [], allowed: 'group-cameras' }), {
  names: cameraNamePattern,
  wrongName: (name) => ({ problem: configProblem('invalid-camera-group-name'), shown: name }),
  description:
    'Groups of cameras by name (letters, digits, `_`, `-`). A role grants a group as `group:<name>`, and Live shows one group at a time.',
  examples: [{ entrances: ['door', 'gate'] }],
})

export type CameraGroupsConfig = ConfigOf<typeof CameraGroupsConfig>

export interface CameraGroupsProblems {
  'invalid-camera-group-name': null
  'unknown-camera': { readonly camera: string }
}

export function checkCameraGroups(
  groups: CameraGroupsConfig,
  cameras: ReadonlyMap<string, unknown>,
  { warning }: SectionReport<CodedMessage<CameraGroupsProblems>>,
): void {
  for (const [group, names] of groups) {
    for (const [index, camera] of names.entries()) {
      if (cameras.has(camera)) continue
      warning(['camera_groups', group, index], configProblem('unknown-camera', { camera: shownText(camera) }))
    }
  }
}
