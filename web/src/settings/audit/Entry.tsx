import { Badge } from '@mantine/core'
import type { AuditLine } from '../../../../server/src/api-types.ts'
import { useLocale, useTexts, type Texts } from '../../i18n/texts.ts'
import { momentToTheSecond } from '../../lib/format-time.ts'
import { labelFor } from '../../lib/label-for.ts'
import { WrappingText } from '../../ui/WrappingText.tsx'
import classes from './AuditPage.module.css'
import { detailsOf } from './detail.ts'

const colors: Readonly<Record<keyof Texts<'audit'>['audit']['results'], string>> = {
  success: 'gate',
  denied: 'yellow',
  failure: 'red',
}

/** The address that the service records when there are too many to name each. */
const anyAddress = '::/0'

/** How the user was authenticated, with the name of the token, screen or link. */
function methodOf({ auth_method: method, credential }: AuditLine, { by, byNamed }: Texts<'audit'>['audit']): string {
  if (method === null) return ''
  const name = credential?.name
  if (name && (method === 'token' || method === 'screen' || method === 'link' || method === 'command'))
    return byNamed[method]({ name })
  return labelFor(by, method)
}

interface EntryProps {
  readonly line: AuditLine
  /** The title of a camera, given its name. */
  readonly titleOf: (camera: string) => string
}

/** One entry of the audit log. */
export function Entry({ line, titleOf }: EntryProps) {
  const texts = useTexts('audit', 'reasons')
  const { audit, partsSeparator } = texts
  const locale = useLocale()
  const who = line.user ?? (line.address === null ? audit.service : audit.unauthenticated)
  const how = [
    line.auth_method !== null && methodOf(line, audit),
    line.address !== null &&
      (line.address === anyAddress ? audit.fromMany : audit.fromAddress({ address: line.address })),
  ].filter((part) => part !== false)

  const details = detailsOf(line, texts, locale, titleOf)

  return (
    <li className={classes.entry}>
      <time dateTime={line.at} title={line.at} className={classes.time}>
        {momentToTheSecond(Date.parse(line.at), locale)}
      </time>
      <div className={classes.who}>
        <span className={line.user === null ? classes.unauthenticated : classes.name}>
          <WrappingText of={who} after="@." />
        </span>
        {how.length > 0 && <span className={classes.how}>{how.join(partsSeparator)}</span>}
      </div>
      <div className={classes.what}>
        <span>
          {labelFor(audit.actions, line.action)}{' '}
          {line.target !== null && <span className={classes.target}>{line.target}</span>}
        </span>
        {details.map((detail) => (
          <span key={detail} className={classes.detail}>
            {detail}
          </span>
        ))}
      </div>
      <Badge className={classes.result} tt="none" size="lg" variant="light" color={labelFor(colors, line.result)}>
        {labelFor(audit.results, line.result)}
      </Badge>
    </li>
  )
}
