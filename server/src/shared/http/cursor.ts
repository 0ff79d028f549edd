import { invalidField } from '../errors.ts'
import { fieldProblem } from '../messages/coded-message.ts'

/** Where a page of a list ends and the next begins: a time in Unix milliseconds, and an id among the entries of that time. */
export interface CursorPosition {
  readonly at: number
  readonly id: string
}

/** The cursor as text, which the client sends back to get the next page. */
export const cursorOf = (at: number, id: string | number): string => Buffer.from(`${at}.${id}`).toString('base64url')

/**
 * @param idShape matches a whole id
 * @throws ServiceError `invalid-request` if the text isn't a cursor of the service
 */
export function positionFrom(cursor: string, idShape: RegExp): CursorPosition {
  const [, time, id = ''] = /^(\d{1,15})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const at = Number(time)
  // Only the exact text that cursorOf writes is accepted.
  if (time === undefined || !idShape.test(id) || cursorOf(at, id) !== cursor) {
    throw invalidField('cursor', fieldProblem('no-cursor'))
  }
  return { at, id }
}
