import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('en')

export const log = {
  lead: 'Service logs since startup. For user activity, see the audit log.',
  logger: 'Logger',
  allLoggers: 'All loggers',
  level: 'Minimum level',
  levels: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
  search: 'Search',
  follow: 'Follow',
  lines: 'Log lines',
  count: (shown: number, all: number) =>
    shown === all
      ? plural(all, { one: '# line', other: '# lines' })
      : plural(all, { one: '{shown} of # line', other: '{shown} of # lines' }, { shown: number(shown) }),
  noDetails: 'No further details.',
  copy: 'Copy',
  copyAll: 'Copy all lines',
  copied: 'Copied',
  noneTitle: 'No lines',
  none: 'No lines match your filters.',
  clear: 'Clear filters',
  toNewest: 'Jump to latest',
}
