import { Type } from 'typebox'
import { milliseconds } from '../shared/time/clock.ts'

/** Unix seconds, at most the latest time that a JavaScript Date can represent. */
export const AuditTime = Type.Number({ minimum: 0, maximum: 8.64e12 })

/** Entries have whole milliseconds, so a fraction in `after` or `before` is rounded up. */
export const moment = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.ceil(milliseconds(seconds))
