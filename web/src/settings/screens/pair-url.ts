import { urlOf } from '../../lib/base.ts'

/** What to open on a display. */
export const pairUrl = (): string => {
  const { host, pathname } = urlOf('pair')
  return host + pathname
}
