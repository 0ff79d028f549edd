import type { RoleView } from './roles.ts'

/** What its users see. A listed camera that an admin has yet to confirm is not among them (CAM-4). */
export const seenBy = ({ cameras, withheld = [] }: Pick<RoleView, 'cameras' | 'withheld'>): string[] =>
  difference(withheld, cameras).added

/** What users who see these cameras gain when their role is deleted and they become `viewer` (ROLE-7). */
export const gainedAsViewer = (seen: readonly string[], all: readonly string[]): string[] => difference(seen, all).added

/** What differs between two lists of cameras; their order does not count. */
export function difference(
  before: readonly string[],
  after: readonly string[],
): { added: string[]; removed: string[] } {
  const [had, has] = [new Set(before), new Set(after)]
  return {
    added: [...has].filter((camera) => !had.has(camera)),
    removed: [...had].filter((camera) => !has.has(camera)),
  }
}

export const sameCameras = (one: readonly string[], other: readonly string[]): boolean => {
  const { added, removed } = difference(one, other)
  return added.length === 0 && removed.length === 0
}
