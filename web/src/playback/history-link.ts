/**
 * Router link to a camera's history at a given time.
 *
 * @param at Unix seconds
 */
export const historyLink = (camera: string, at: number) =>
  ({ to: '/history', search: { camera, at: new Date(at * 1000).toISOString() } }) as const
