/**
 * Where the history of a camera is open at a moment, as a link of the router has it.
 *
 * @param at Unix seconds
 */
export const historyLink = (camera: string, at: number) =>
  ({ to: '/history', search: { camera, at: new Date(at * 1000).toISOString() } }) as const
