/** The cameras that users gain when their role is deleted and they become `viewer` (ROLE-7). */
export const gainedAsViewer = (seen: readonly string[], all: readonly string[]): string[] => difference(seen, all).added

/** The differences between two lists of cameras, regardless of order. */
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
