import { ServiceError } from './errors.ts'

/** Where a page of a list ends, and the next one begins: a moment, Unix milliseconds, and an id among those of it. */
export interface CursorPosition {
  readonly at: number
  readonly id: string
}

/** As text that whoever asks for the next page hands back. */
export const cursorOf = (at: number, id: string | number): string => Buffer.from(`${at}.${id}`).toString('base64url')

/**
 * @param idShape of all of an id
 * @throws ServiceError `invalid` for what is none of ours
 */
export function markFrom(cursor: string, idShape: RegExp): CursorPosition {
  const [, time, id = ''] = /^(\d{1,15})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const at = Number(time)
  // It is ours only if we would write it so.
  if (time === undefined || !idShape.test(id) || cursorOf(at, id) !== cursor) {
    throw new ServiceError('invalid', 'The query is not valid.', {
      problems: [{ field: 'cursor', code: 'no-cursor', message: 'is not a cursor of this list' }],
    })
  }
  return { at, id }
}
