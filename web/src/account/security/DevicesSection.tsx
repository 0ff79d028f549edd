import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FactorsResponse } from '../../../../server/src/api-types.ts'
import { deleteUnlessGone } from '../../api/delete-unless-gone.ts'
import { messageOf } from '../../api/failure.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago, day } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import { deviceOf } from '../../session/device.ts'
import { useRowFocus } from '../../ui/lists/useRowFocus.ts'
import list from '../../ui/lists/RowList.module.css'
import { notifyFailure, notifySuccess } from '../../ui/feedback/notify.ts'
import { Section } from '../Section.tsx'
import { useFactorsChanged } from './useFactorsChanged.ts'

type Devices = FactorsResponse['devices']

/** The devices on which the second factor is not asked for. */
export function DevicesSection({ devices }: { devices: Devices }) {
  const texts = useTexts('security')
  const words = texts.security.devices
  const changed = useFactorsChanged()
  const { list: rowList, leaving, left } = useRowFocus()
  const forget = useMutation({
    mutationFn: (id: string) => deleteUnlessGone(`api/account/factors/${encodeURIComponent(id)}`),
    onSuccess: () => notifySuccess(words.forgotten),
    onError: (error) => notifyFailure(messageOf(error, texts)),
    onSettled: () => changed().then(left),
  })
  return (
    <Section title={words.title} lead={words.lead}>
      {devices.length === 0 ? (
        <Text>{words.none}</Text>
      ) : (
        <ul ref={rowList} className={list.list}>
          {devices.map((device, index) => (
            <DeviceItem
              key={device.id}
              device={device}
              isEnding={forget.isPending && forget.variables === device.id}
              onForget={() => {
                leaving(index)
                forget.mutate(device.id)
              }}
            />
          ))}
        </ul>
      )}
    </Section>
  )
}

interface DeviceItemProps {
  readonly device: Devices[number]
  readonly isEnding: boolean
  readonly onForget: () => void
}

function DeviceItem({ device, isEnding, onForget }: DeviceItemProps) {
  const texts = useTexts('account', 'security')
  const words = texts.security.devices
  const locale = useLocale()
  const now = useNow(30_000)
  const name = deviceOf(device.user_agent, texts)
  const used = ago(Date.parse(device.last_used_at), now, locale)
  return (
    <li className={list.item}>
      <div className={list.text}>
        <Text fw={550}>{name}</Text>
        <Text size="sm" c="dimmed">
          {device.address} · {words.used({ when: used })} ·{' '}
          {words.until({ when: day(Date.parse(device.expires_at), locale) })}
        </Text>
      </div>
      <Button
        variant="subtle"
        color="red"
        loading={isEnding}
        onClick={onForget}
        aria-label={words.forgetOf({ device: name, when: used })}
      >
        {words.forget}
      </Button>
    </li>
  )
}
