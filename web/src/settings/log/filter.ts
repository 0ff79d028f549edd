import { logSearch } from '../search.ts'
import { oneOf } from '../../lib/one-of.ts'
import type { FilterForm } from '../useFilter.ts'
import type { LogLine } from './lines.ts'

export interface LogFilter {
  /** The logger and those below it; empty for all. */
  readonly logger: string
  /** The lowest level shown. */
  readonly level: LogLine['level']
  /** Part of a line. */
  readonly text: string
}

export const everything: LogFilter = { logger: '', level: 'debug', text: '' }

export const levels: readonly LogLine['level'][] = ['debug', 'info', 'warn', 'error']

export const logFilterForm: FilterForm<LogFilter, ReturnType<typeof logSearch>> = {
  search: logSearch,
  read: ({ logger = '', level, q = '' }) => ({ logger, level: oneOf(levels, level, everything.level), text: q }),
  write: ({ logger, level, text }) => ({ logger, level: level === everything.level ? undefined : level, q: text }),
}
