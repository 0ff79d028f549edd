import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ServiceStats } from '../../../../server/src/api-types.ts'
import { bytes, percent } from '../../lib/format-number.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatDuration, moment } from '../../lib/format-time.ts'
import { Card } from '../../ui/Card.tsx'
import { HealthBadge } from './HealthBadge.tsx'
import classes from './SystemPage.module.css'

/** The service's own figures. */
export function ServiceFacts({ of }: { of: ServiceStats }) {
  const { system } = useTexts('system')
  const locale = useLocale()
  const sizeOf = ({ size, free }: ServiceStats['database']): string => {
    if (size === null) return ''
    // PostgreSQL doesn't count it.
    if (!free) return bytes(size, locale)
    return system.databaseSize({ size: bytes(size, locale), free: bytes(free, locale) })
  }

  return (
    <Card title={system.service}>
      <dl className={classes.facts}>
        <Fact
          name={system.version}
          value={of.version}
          hint={system.node({ version: of.node, platform: of.platform })}
        />
        <Fact
          name={system.uptime}
          value={formatDuration(steady(of.uptime), locale)}
          hint={system.since({ when: moment(Date.parse(of.started_at), locale) })}
        />
        <Fact
          name={system.cpu}
          value={of.cpu === null ? system.unknown : percent(of.cpu, locale)}
          hint={system.cpuHint}
        />
        <Fact name={system.memory} value={of.memory === null ? system.unknown : bytes(of.memory, locale)} />
        <Fact
          name={system.streams}
          value={new Intl.NumberFormat(locale).format(of.open_streams)}
          hint={system.streamsHint}
        />
        <Fact
          name={system.database}
          value={
            <span className={classes.health}>
              {system.engines[of.database.engine]}
              <HealthBadge works={of.database.healthy}>
                {of.database.healthy ? system.healthy : system.unhealthy}
              </HealthBadge>
            </span>
          }
          hint={sizeOf(of.database)}
        />
        {of.identity_provider && <ProviderFact of={of.identity_provider} />}
        <Fact name={system.disk} value={<Disk of={of.media} />} />
      </dl>
    </Card>
  )
}

/** The identity provider, as it was when it was last asked. */
function ProviderFact({ of: { name, state, since, setting } }: { of: NonNullable<ServiceStats['identity_provider']> }) {
  const { system } = useTexts('system')
  const { provider: texts } = system
  const locale = useLocale()
  const hint = [
    since !== undefined && texts.since({ when: moment(since * 1000, locale) }),
    setting !== undefined && texts.check({ setting }),
  ]
  return (
    <Fact
      name={texts.title}
      value={
        <span className={classes.health}>
          {name}
          {state !== 'unknown' && <HealthBadge works={state === 'ok'}>{texts[state]}</HealthBadge>}
        </span>
      }
      hint={state === 'unknown' ? texts.unknown : hint.filter(Boolean).join(' · ')}
    />
  )
}

/** Seconds, rounded down to minutes after the first minute. */
const steady = (uptime: number): number => (uptime < 60 ? uptime : Math.floor(uptime / 60) * 60)

function Fact({ name, value, hint }: { name: string; value: ReactNode; hint?: string }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd className={classes.value}>{value}</dd>
      {hint !== undefined && hint !== '' && <dd className={classes.hint}>{hint}</dd>}
    </div>
  )
}

function Disk({ of }: { of: ServiceStats['media'] }) {
  const { system } = useTexts('system')
  const locale = useLocale()
  if (!of) return system.diskUnknown
  const used = of.total === 0 ? 0 : ((of.total - of.free) / of.total) * 100
  return (
    <div className={classes.disk}>
      {system.diskFree({ free: bytes(of.free, locale), all: bytes(of.total, locale) })}
      <Progress value={used} color={used > 95 ? 'red' : 'gate'} size="sm" aria-hidden />
    </div>
  )
}
