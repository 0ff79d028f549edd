import type { RemovedCamera } from '../../../../server/src/api-types.ts'
import type { Texts } from '../../i18n/texts.ts'
import { formatList } from '../../lib/format-list.ts'
import { bytes } from '../../lib/format-number.ts'
import { moment } from '../../lib/format-time.ts'

/** What an earlier camera left behind, a sentence for each kind. */
export function leftBehind(had: RemovedCamera, texts: Texts<'cameras' | 'roles'>, locale: string): readonly string[] {
  const { used } = texts.cameras.form
  const at = (seconds: number) => moment(seconds * 1000, locale)
  const roles = had.roles.map((role) => used.role({ name: role.name, users: role.users }))
  return [
    had.recordings &&
      used.recordings({
        oldest: at(had.recordings.oldest),
        newest: at(had.recordings.newest),
        size: bytes(had.recordings.bytes, locale),
      }),
    had.review_items > 0 && used.items({ count: had.review_items }),
    had.exports > 0 && used.exports({ count: had.exports }),
    roles.length > 0 && used.roles({ roles: formatList(roles, locale, texts.roles.more) }),
  ].filter((fact) => typeof fact === 'string')
}
