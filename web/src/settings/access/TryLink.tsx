import { useQuery } from '@tanstack/react-query'
import type { LinkResponse } from '../../../../server/src/api-types.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatTimeRange } from '../../lib/format-time.ts'
import { allLinksQuery } from '../../links/queries.ts'
import { TryCredential, type TryProps } from './TryCredential.tsx'

/** Chooses a share link that has not ended for good. */
export function TryLink({ onTry, onEmpty }: TryProps<{ readonly link: string }>) {
  const { access } = useTexts('access')
  const locale = useLocale()
  const titleOf = useTitles()
  const links = useQuery(allLinksQuery)
  const labelOf = ({ camera, start, end, note, owner }: LinkResponse): string =>
    [titleOf(camera), start !== null && end !== null && formatTimeRange(start, end, locale), note, owner]
      .filter((part) => part !== false && part !== '')
      .join(' · ')
  return (
    <TryCredential
      label={access.link}
      hint={access.linkHint}
      none={access.noLinks}
      query={links}
      choices={(links.data ?? [])
        .filter(({ state }) => state !== 'expired' && state !== 'revoked')
        .map((link) => ({ value: link.id, label: labelOf(link) }))}
      onChoose={(link) => onTry({ link })}
      onEmpty={onEmpty}
    />
  )
}
