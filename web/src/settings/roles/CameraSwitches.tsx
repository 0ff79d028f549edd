import { Badge, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { Camera, CameraGroup } from '../../../../server/src/api-types.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatList } from '../../lib/format-list.ts'
import { allCameras, coverageOf, groupEntry, groupOf } from '../../users/role-keys.ts'
import classes from './CameraSwitches.module.css'
import { SearchField } from '../../ui/forms/SearchField.tsx'

/** Number of cameras above which there is a search field. */
const few = 8

interface CameraSwitchesProps {
  readonly cameras: readonly Camera[]
  readonly groups: readonly CameraGroup[]
  /** As a role lists them: names of cameras, groups, or only `all`. */
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** Switches for all cameras together, each group and each camera, and for each chosen camera that does not exist. */
export function CameraSwitches({ cameras, groups, chosen, onChange }: CameraSwitchesProps) {
  const { roles, grants } = useTexts('roles', 'grants')
  const words = grants.form.cameras
  const isAll = chosen.has(allCameras)
  // Chosen before all cameras were.
  const [others, setOthers] = useState<ReadonlySet<string>>(() => new Set(isAll ? [] : chosen))
  const turnAll = (on: boolean) => {
    if (on) setOthers(chosen)
    onChange(on ? new Set([allCameras]) : others)
  }
  const turn = (entry: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(entry)
    else next.delete(entry)
    onChange(next)
  }
  const names = cameras.map(({ name }) => name)
  const covered = new Set(coverageOf([...chosen], names, groups))
  const shared = { cameras, groups, chosen, covered, turn }

  return (
    <div className={classes.whole}>
      <ul className={classes.list}>
        <Entry label={words.all} description={words.allHint} checked={isAll} onChange={turnAll} />
      </ul>
      {!isAll && <Groups {...shared} />}
      {!isAll && <Cameras {...shared} />}
      {isAll && (
        <Text size="sm" c="dimmed" role="status">
          {roles.chosen({ count: cameras.length, all: cameras.length })}
        </Text>
      )}
    </div>
  )
}

interface EntriesProps extends Omit<CameraSwitchesProps, 'onChange'> {
  /** The cameras that the chosen entries stand for. */
  readonly covered: ReadonlySet<string>
  readonly turn: (entry: string, on: boolean) => void
}

function Groups({ cameras, groups, chosen, turn }: EntriesProps) {
  const { grants } = useTexts('grants')
  const locale = useLocale()
  const words = grants.form.cameras
  const titles = new Map(cameras.map((camera) => [camera.name, titleOf(camera)]))
  const existing = groups.map(({ name, cameras: own }) => ({ name, cameras: own.filter((each) => titles.has(each)) }))
  // A group that no longer exists is in no list of groups.
  const empty = [...chosen]
    .flatMap((entry) => groupOf(entry) ?? [])
    .filter((name) => groups.every((each) => each.name !== name))
  const all = [...existing, ...empty.map((name) => ({ name, cameras: [] }))]
  if (all.length === 0) return null
  return (
    <ul className={classes.list} aria-label={words.groups}>
      {all.map(({ name, cameras: own }) => (
        <Entry
          key={name}
          label={words.group({ name })}
          description={
            own.length === 0
              ? words.count({ count: 0 })
              : formatList(
                  own.map((camera) => titles.get(camera) ?? camera),
                  locale,
                  grants.more,
                )
          }
          badge={words.count({ count: own.length })}
          checked={chosen.has(groupEntry(name))}
          onChange={(on) => turn(groupEntry(name), on)}
        />
      ))}
    </ul>
  )
}

function Cameras({ cameras, chosen, covered, turn }: EntriesProps) {
  const { roles, grants } = useTexts('roles', 'grants')
  const [search, setSearch] = useState('')
  // A missing camera stays in the list when switched off, so that it can be switched on again.
  const [missing] = useState(() => missingOf(chosen, cameras))
  const requested = search.trim().toLowerCase()
  const found = cameras.filter(
    (camera) => camera.name.toLowerCase().includes(requested) || titleOf(camera).toLowerCase().includes(requested),
  )
  const hintOf = (camera: Camera): string | undefined => {
    if (covered.has(camera.name) && !chosen.has(camera.name)) return grants.form.cameras.inGroup
    return titleOf(camera) === camera.name ? undefined : camera.name
  }

  return (
    <>
      <div className={classes.head}>
        {cameras.length > few && (
          <SearchField
            className={classes.search}
            size="sm"
            label={roles.searchCameras}
            value={search}
            onChange={setSearch}
          />
        )}
        <Text size="sm" c="dimmed" role="status">
          {roles.chosen({ count: cameras.filter(({ name }) => covered.has(name)).length, all: cameras.length })}
        </Text>
      </div>
      <ul className={classes.list}>
        {found.map((camera) => (
          <Entry
            key={camera.name}
            label={titleOf(camera)}
            description={hintOf(camera)}
            checked={chosen.has(camera.name)}
            onChange={(on) => turn(camera.name, on)}
          />
        ))}
        {missing
          .filter((name) => name.toLowerCase().includes(requested))
          .map((name) => (
            <Entry
              key={name}
              label={roles.missing({ name })}
              description={roles.missingHint}
              checked={chosen.has(name)}
              onChange={(on) => turn(name, on)}
            />
          ))}
      </ul>
      {found.length === 0 && cameras.length > 0 && requested !== '' && <Text c="dimmed">{roles.noMatchingCamera}</Text>}
      {cameras.length === 0 && missing.length === 0 && <Text c="dimmed">{roles.noCameras}</Text>}
    </>
  )
}

interface EntryProps {
  readonly label: string
  readonly description: string | undefined
  readonly badge?: string
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}

function Entry({ label, description, badge, checked, onChange }: EntryProps) {
  return (
    <li>
      <Switch
        name="cameras"
        className={classes.switch}
        labelPosition="left"
        size="md"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        label={label}
        description={
          badge === undefined ? (
            description
          ) : (
            <>
              <Badge component="span" variant="default" tt="none" fw={500} mr={6}>
                {badge}
              </Badge>
              {description}
            </>
          )
        }
      />
    </li>
  )
}

const missingOf = (chosen: ReadonlySet<string>, cameras: readonly Camera[]): string[] => {
  const existing = new Set(cameras.map(({ name }) => name))
  return [...chosen].filter((entry) => entry !== allCameras && groupOf(entry) === undefined && !existing.has(entry))
}
