import type { ServiceStats } from '../../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import { Card } from '../../ui/Card.tsx'
import { HealthBadge } from './HealthBadge.tsx'
import classes from './SystemPage.module.css'

/** The files and syslog receivers that the audit log is written to. */
export function AuditOutputs({ of }: { of: ServiceStats['audit_outputs'] }) {
  const { system } = useTexts('system')
  if (of.length === 0) return null
  return (
    <Card title={system.outputs.title}>
      <ul className={classes.cards}>
        {of.map((output) => (
          <Output key={output.name} of={output} />
        ))}
      </ul>
    </Card>
  )
}

function Output({ of }: { of: ServiceStats['audit_outputs'][number] }) {
  const { system } = useTexts('system')
  const locale = useLocale()
  const { name, state, detail, since, waiting, missed } = of
  const works = state === 'ok'
  const texts = system.outputs
  return (
    <li className={classes.card}>
      <div className={classes.health}>
        <span className={classes.cardTitle}>{name}</span>
        <HealthBadge works={works}>{works ? texts.ok : texts.failing}</HealthBadge>
      </div>
      {detail !== undefined && since !== undefined && (
        <span className={classes.detail}>{texts.problem({ when: moment(since * 1000, locale), detail })}</span>
      )}
      {waiting > 0 && <span className={classes.detail}>{texts.waiting({ count: waiting })}</span>}
      {missed > 0 && <span className={classes.detail}>{texts.missed({ count: missed })}</span>}
    </li>
  )
}
