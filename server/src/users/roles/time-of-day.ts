/** Minutes since midnight of a time such as `07:30`, at most `24:00`; undefined if it is not one. */
export function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined) return undefined
  const all = Number(hours) * 60 + Number(minutes)
  return all <= 24 * 60 ? all : undefined
}
