import { Badge, Button } from '@mantine/core'
import { IconAlertTriangle, IconServer } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { InstanceResponse } from '../../../../server/src/api-types.ts'
import { send } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { bytes, percent } from '../../lib/format-number.ts'
import { hostOf } from '../../lib/host-of.ts'
import { ago, formatDuration, moment } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import { useCan } from '../../session/session.ts'
import { Fact, FactCard } from '../../ui/lists/FactCard.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { instancePath } from '../queries.ts'
import { isRecorder } from './placement.ts'
import classes from './InstancesPage.module.css'

interface InstanceCardProps {
  readonly instance: InstanceResponse
  readonly onDrain: () => void
}

const colors = { running: 'gate', draining: 'yellow', drained: 'gray', away: 'red' } as const

/** One instance: its state and what that means, what it pulls and uses, and the button that drains it. */
export function InstanceCard({ instance, onDrain }: InstanceCardProps) {
  const { instances: words } = useTexts('instances')
  const { name, state, current } = instance
  return (
    <FactCard
      title={name}
      icon={IconServer}
      data-instance={name}
      data-state={state}
      note={current && <span className={classes.note}>{words.current}</span>}
      actions={
        <Badge
          size="lg"
          variant="light"
          tt="none"
          color={colors[state]}
          data-color={colors[state]}
          className={classes.state}
        >
          {words.states[state]}
        </Badge>
      }
      foot={
        <>
          <Meaning of={instance} />
          <Unavailable of={instance} />
          <OutdatedConfig of={instance} />
          <OtherTime of={instance} />
          <DrainButton instance={instance} onDrain={onDrain} />
        </>
      }
    >
      <InstanceFacts instance={instance} />
    </FactCard>
  )
}

function InstanceFacts({ instance }: { instance: InstanceResponse }) {
  const { instances: words } = useTexts('instances')
  const locale = useLocale()
  const now = useNow(5000)
  const { jobs, labels, capacity, cameras, load, version, address, last_seen_at: seen } = instance
  const numbers = new Intl.NumberFormat(locale)
  const list = new Intl.ListFormat(locale, { type: 'unit' })
  const figures = load
    ? [
        ...(load.cpu_percent === null ? [] : [words.cpu({ cpu: percent(load.cpu_percent, locale) })]),
        words.memory({ memory: bytes(load.memory_bytes, locale) }),
        ...(load.disk_free_bytes === null ? [] : [words.disk({ free: bytes(load.disk_free_bytes, locale) })]),
      ]
    : []
  return (
    <>
      <Fact term={words.cameras}>
        {address === null && jobs.includes('recorder')
          ? words.allCameras
          : capacity === null
            ? numbers.format(cameras.length)
            : words.ofCapacity({ count: numbers.format(cameras.length), max: numbers.format(capacity) })}
      </Fact>
      <Fact term={words.load}>{figures.length === 0 ? words.unknown : list.format(figures)}</Fact>
      <Fact term={words.jobs}>{jobs.length === 0 ? words.unknown : words.job[jobOf(jobs)]}</Fact>
      <Fact term={words.labels}>{labels.length === 0 ? words.noLabels : list.format(labels)}</Fact>
      <Fact term={words.version}>{version}</Fact>
      <Fact term={words.seen}>
        <time dateTime={seen} title={moment(Date.parse(seen), locale)}>
          {ago(Date.parse(seen), now, locale)}
        </time>
      </Fact>
      <Fact term={words.address}>{address === null ? words.noAddressSet : hostOf(address)}</Fact>
    </>
  )
}

function jobOf(jobs: InstanceResponse['jobs']): 'gate' | 'recorder' | 'both' {
  if (!jobs.includes('gate')) return 'recorder'
  return jobs.includes('recorder') ? 'both' : 'gate'
}

/** What the state means, and what helps. */
function Meaning({ of: instance }: { of: InstanceResponse }) {
  const { instances: words } = useTexts('instances')
  const locale = useLocale()
  const { state, cameras, drained_at: drainedAt, last_seen_at: seen } = instance
  const since = drainedAt === null ? '' : moment(Date.parse(drainedAt), locale)
  const text = () => {
    switch (state) {
      case 'running':
        return isRecorder(instance) ? words.means.running : undefined
      case 'draining':
        return words.means.draining({ count: cameras.length, since })
      case 'drained':
        return words.means.drained({ since })
      case 'away':
        return words.means.away({ since: moment(Date.parse(seen), locale) })
    }
  }
  const shown = text()
  return shown === undefined ? null : <p className={classes.meaning}>{shown}</p>
}

/** Why this instance gets no video from the other one, and what helps. */
function Unavailable({ of: { state, other_protocol: isOther, unreachable } }: { of: InstanceResponse }) {
  const { instances: words } = useTexts('instances')
  if (state === 'away' || !(isOther || unreachable)) return null
  return <Warning>{isOther ? words.otherProtocol : words.unreachable}</Warning>
}

/** That the instance can't use the newest configuration, and what helps. */
function OutdatedConfig({ of: { state, config_outdated: isOutdated } }: { of: InstanceResponse }) {
  const { instances: words } = useTexts('instances')
  return isOutdated && state !== 'away' ? <Warning>{words.configOutdated}</Warning> : null
}

/** How far off the instance's clock is, and how to fix it. */
function OtherTime({ of: { state, clock_ahead_seconds: ahead } }: { of: InstanceResponse }) {
  const { instances: words } = useTexts('instances')
  const locale = useLocale()
  if (ahead === null || state === 'away') return null
  const by = formatDuration(Math.abs(ahead), locale)
  return <Warning>{ahead > 0 ? words.clock.ahead({ by }) : words.clock.behind({ by })}</Warning>
}

const Warning = ({ children }: { children: string }) => (
  <p className={classes.warning}>
    <IconAlertTriangle size={15} aria-hidden />
    {children}
  </p>
)

/** Drains the instance, or gives it cameras again; only for those who can manage cameras. */
function DrainButton({ instance, onDrain }: InstanceCardProps) {
  const texts = useTexts('instances')
  const { instances: words } = texts
  const { id, name, state, drained_at: drainedAt } = instance
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(`${instancePath(id)}/drain`, { method: 'DELETE' }),
    onSuccess: () => notifySuccess(words.usedAgain({ name })),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.instances }),
  })
  const mayDrain = useCan('cameras.manage')
  // An unreachable instance has already lost its cameras to others.
  if (!mayDrain || !isRecorder(instance) || (state === 'away' && drainedAt === null)) return null
  const button =
    drainedAt === null ? (
      <Button variant="default" onClick={onDrain} aria-label={words.drainOf({ name })}>
        {words.drain}
      </Button>
    ) : (
      <Button variant="default" onClick={() => mutate()} loading={isPending} aria-label={words.reuseOf({ name })}>
        {words.reuse}
      </Button>
    )
  return (
    <div className={classes.button}>
      {button}
      {error && (
        <span role="alert" className={classes.problem}>
          {messageOf(error, texts)}
        </span>
      )}
    </div>
  )
}
