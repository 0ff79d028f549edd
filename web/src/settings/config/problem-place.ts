import type { Found } from './editor/Editor.tsx'

/** The field of a problem, without its key if the message names that too. */
export function placeOf({ field, values }: Pick<Found, 'field' | 'values'>): string {
  if (typeof values?.['key'] !== 'string') return field
  const { key } = values
  const named = [key, key.replace(/^"(.*)"$/, '$1')].find((each) => field === each || field.endsWith(`.${each}`))
  return named === undefined ? field : field.slice(0, -named.length).replace(/\.$/, '')
}
