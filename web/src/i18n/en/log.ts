import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('en')

export const log = {
  lead: 'The newest lines since the start. What happened to whom is in the audit.',
  logger: 'Logger',
  allLoggers: 'All loggers',
  level: 'From level',
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
  none: 'No line fits what you ask for.',
  clear: 'Show all lines',
  toNewest: 'To the newest line',
}
