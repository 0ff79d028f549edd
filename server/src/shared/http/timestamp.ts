import { Type } from 'typebox'

/** A time in a response. */
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

/** @param at Unix milliseconds. */
export const timestampOf = (at: number): string => new Date(at).toISOString()

/** A time in a request, at most the end of the year 9999. */
export const UnixSeconds = (description: string) => Type.Number({ minimum: 0, maximum: 253_402_300_799, description })
