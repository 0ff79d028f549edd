import { Button, Progress } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DiskResponse } from '../../../../server/src/api-types.ts'
import { bytes } from '../../lib/format-number.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { WrappingText } from '../../ui/WrappingText.tsx'
import { days } from './days.ts'
import { ObjectStorage } from './ObjectStorage.tsx'
import classes from './StoragePage.module.css'

/** The storage of all recordings, and the disk they are on. */
export function DiskFacts({ of: disk, onChange }: { of: DiskResponse; onChange: (() => void) | undefined }) {
  const { storage, system } = useTexts('storage', 'system')
  const locale = useLocale()
  const { total, free, limits } = disk
  const given = limits.max_gb * 1e9
  return (
    <>
      <dl className={classes.facts}>
        <Fact name={storage.taken}>
          {disk.bytes === null
            ? storage.counting
            : storage.takenOf({ taken: bytes(disk.bytes, locale), given: bytes(given, locale) })}
          <Bar part={disk.bytes ?? 0} of={given} />
        </Fact>
        <Fact name={storage.disk}>
          {total === null || free === null ? (
            system.diskUnknown
          ) : (
            <>
              {system.diskFree({ free: bytes(free, locale), all: bytes(total, locale) })}
              <Bar part={total - free} of={total} alarm={95} />
            </>
          )}
        </Fact>
        {disk.exports !== null && disk.reserve !== null && (
          <Fact name={storage.exports}>
            {storage.exportsAnd({ taken: bytes(disk.exports, locale), reserve: bytes(disk.reserve, locale) })}
            {total !== null && <Bar part={disk.exports} of={total} />}
          </Fact>
        )}
        {disk.object_storage && (
          <Fact name={storage.objects.name}>
            <ObjectStorage of={disk.object_storage} />
          </Fact>
        )}
        <Fact name={storage.kept}>{storage.keptFor({ days: days(limits.retain_days, locale) })}</Fact>
        <Fact name={storage.folder}>
          <code className={classes.folder}>
            <WrappingText of={disk.folder} after="/" />
          </code>
        </Fact>
      </dl>
      {onChange && (
        <Button variant="default" leftSection={<IconAdjustments size={18} aria-hidden />} onClick={onChange}>
          {storage.change}
        </Button>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** @param alarm percentage above which the bar is red */
function Bar({ part, of, alarm = 101 }: { part: number; of: number; alarm?: number }) {
  const percent = of === 0 ? 0 : Math.min(100, (part / of) * 100)
  return <Progress value={percent} color={percent > alarm ? 'red' : 'gate'} size="sm" mt={8} aria-hidden />
}
