/** What the users of a role gain when it is deleted and they become `viewer` (ROLE-7). */
export const gainedAsViewer = (role: readonly string[], all: readonly string[]): string[] => {
  const had = new Set(role)
  return all.filter((camera) => !had.has(camera))
}

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
