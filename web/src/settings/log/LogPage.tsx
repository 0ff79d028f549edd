import { Button, NativeSelect, Switch, Text } from '@mantine/core'
import { IconArrowDown, IconFileText } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { loadOf } from '../../api/load.ts'
import { CopyText } from '../../ui/CopyText.tsx'
import { useTexts } from '../../i18n/texts.ts'
import { useNow } from '../../lib/useNow.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import pageClasses from '../Page.module.css'
import { oneOf } from '../../lib/one-of.ts'
import { SectionHead } from '../SectionHead.tsx'
import { useFilter } from '../useFilter.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { FoldedOnPhones } from '../../ui/forms/FoldedOnPhones.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { holding, keyed, lineText, loggersIn, type KeyedLine, type LogLine } from './lines.ts'
import { Line } from './Line.tsx'
import { everything, levels, logFilterForm, type LogFilter } from './filter.ts'
import { logQuery } from './log.ts'
import classes from './LogPage.module.css'

/** The service's log, with filters. */
export function LogPage() {
  const texts = useTexts('log', 'settings')
  const { log } = texts
  const { filter, choose, type } = useFilter(logFilterForm)
  const [follow, setFollow] = useState(true)
  const requested = useDeferredValue(filter.text)
  const lines = loadOf(useQuery(logQuery(filter, follow)))
  const loggers = useKnownLoggers(lines.state === 'ready' ? lines.value.lines : [])
  const all = lines.state === 'ready' ? keyed(lines.value.lines) : []
  const found = holding(all, requested)

  return (
    <div className={pageClasses.page}>
      <SectionHead title={texts.settings.sections.log} lead={log.lead} />
      <LogFilters filter={filter} loggers={loggers} onChoose={choose} onType={type} />
      {lines.state === 'loading' && <ListSkeleton />}
      {lines.state === 'failed' && <ErrorState part error={lines.error} again={lines.again} />}
      {lines.state === 'ready' && (
        <>
          {lines.stale && <StaleAlert />}
          <div className={classes.bar}>
            <Text size="sm" c="dimmed">
              {log.count({ filtered: found.length !== all.length, shown: found.length, all: all.length })}
            </Text>
            <div className={classes.tools}>
              <Switch
                label={log.follow}
                checked={follow}
                onChange={(event) => setFollow(event.currentTarget.checked)}
              />
              <CopyAll lines={found} />
            </div>
          </div>
          {found.length === 0 ? (
            <EmptyState
              icon={IconFileText}
              title={log.noneTitle}
              action={
                <Button variant="default" onClick={() => choose(everything)}>
                  {log.clear}
                </Button>
              }
            >
              {log.none}
            </EmptyState>
          ) : (
            <Lines lines={found} />
          )}
        </>
      )}
    </div>
  )
}

interface LogFiltersProps {
  readonly filter: LogFilter
  readonly loggers: readonly string[]
  readonly onChoose: (filter: LogFilter) => void
  /** Like `onChoose`, while the user types. */
  readonly onType: (filter: LogFilter) => void
}

function LogFilters({ filter, loggers, onChoose, onType }: LogFiltersProps) {
  const { log, label } = useTexts('log')
  const folded = [filter.logger !== everything.logger, filter.level !== everything.level]
  return (
    <div className={pageClasses.tools} role="search">
      <SearchField
        className={`${pageClasses.search} ${classes.search}`}
        label={log.search}
        value={filter.text}
        onChange={(text) => onType({ ...filter, text })}
      />
      <FoldedOnPhones active={folded.filter(Boolean).length}>
        <NativeSelect
          className={pageClasses.filter}
          aria-label={log.logger}
          value={filter.logger}
          onChange={(event) => onChoose({ ...filter, logger: event.currentTarget.value })}
          data={[
            { value: '', label: log.allLoggers },
            ...new Set([...loggers, ...(filter.logger ? [filter.logger] : [])]),
          ]}
        />
        <NativeSelect
          className={classes.level}
          aria-label={log.level}
          value={filter.level}
          onChange={(event) =>
            onChoose({ ...filter, level: oneOf(levels, event.currentTarget.value, everything.level) })
          }
          data={levels.map((level) => ({
            value: level,
            label: `${label({ what: log.level })}${log.levels[level]}`,
          }))}
        />
      </FoldedOnPhones>
    </div>
  )
}

/** Every logger seen while the page is open, so that a filter doesn't empty its own list of choices. */
function useKnownLoggers(lines: readonly LogLine[]): readonly string[] {
  const [known, setKnown] = useState<readonly string[]>([])
  const all = [...new Set([...known, ...loggersIn(lines)])].sort()
  if (all.length > known.length) setKnown(all)
  return all
}

function CopyAll({ lines }: { lines: readonly KeyedLine[] }) {
  const { log } = useTexts('log')
  return (
    <CopyText value={lines.map(lineText).join('\n')} variant="default" size="sm" disabled={lines.length === 0}>
      {log.copyAll}
    </CopyText>
  )
}

/** Pixels from the end within which the view counts as at the newest line. */
const nearEnd = 40

/** Scrolls to new lines while the view is at the end, but not if the user has scrolled up. */
function Lines({ lines }: { lines: readonly KeyedLine[] }) {
  const { log } = useTexts('log')
  const box = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const today = new Date(useNow(60_000)).toDateString()
  const newest = lines.at(-1)?.key
  useLayoutEffect(() => {
    if (atEnd && newest !== undefined) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [newest, atEnd])

  return (
    <div className={classes.around}>
      <div
        ref={box}
        className={classes.lines}
        role="region"
        aria-label={log.lines}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be scrollable by keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < nearEnd)
        }
      >
        {lines.map((line) => (
          <Line key={line.key} line={line} today={today} />
        ))}
      </div>
      {!atEnd && (
        <Button
          className={classes.toEnd}
          size="sm"
          radius="xl"
          leftSection={<IconArrowDown size={16} aria-hidden />}
          onClick={() => setAtEnd(true)}
        >
          {log.toNewest}
        </Button>
      )}
    </div>
  )
}
