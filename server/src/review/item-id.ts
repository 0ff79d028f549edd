/** The shape of a review item's id. */
export const idShape = /^[0-9a-f]{32}$/
export const isId = (id: string): boolean => idShape.test(id)
