import type { ReviewItemResponse } from '../../server/src/api-types.ts'

/** For tests: an item named after its start. `b30` started before `a40`. */
export const item = (id: string, more: Partial<ReviewItemResponse> = {}): ReviewItemResponse => ({
  id,
  camera: 'yard',
  start: Number(id.slice(1)),
  end: null,
  severity: 'alert',
  data: { motion: 1, box: null },
  thumbnail: null,
  seen: false,
  ...more,
})

/** For tests: a page of such items. */
export const page = (ids: readonly string[], cursor: string | null) => ({ items: ids.map((id) => item(id)), cursor })
