import { Badge, Switch, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './CameraSwitches.module.css'

/** Number of cameras above which there is a search field. */
const few = 8

interface CameraSwitchesProps {
  readonly cameras: readonly Camera[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** A switch for each camera, and for each chosen camera that does not exist. */
export function CameraSwitches({ cameras, chosen, onChange }: CameraSwitchesProps) {
  const { roles } = useTexts('roles')
  const [search, setSearch] = useState('')
  // A missing camera stays in the list when switched off, so that it can be switched on again.
  const [missing] = useState(() => missingOf(chosen, cameras))
  const requested = search.trim().toLowerCase()
  const found = cameras.filter(
    (camera) => camera.name.toLowerCase().includes(requested) || titleOf(camera).toLowerCase().includes(requested),
  )
  const turn = (name: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(name)
    else next.delete(name)
    onChange(next)
  }
  const existing = cameras.filter(({ name }) => chosen.has(name)).length

  return (
    <div className={classes.whole}>
      <div className={classes.head}>
        {cameras.length > few && (
          <TextInput
            className={classes.search}
            type="search"
            size="sm"
            leftSection={<IconSearch size={16} aria-hidden />}
            aria-label={roles.searchCameras}
            placeholder={roles.searchCameras}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <Text size="sm" c="dimmed" role="status">
          {roles.chosen({ count: existing, all: cameras.length })}
        </Text>
      </div>
      <ul className={classes.list}>
        {found.map((camera) => (
          <li key={camera.name}>
            <Switch
              name="cameras"
              className={classes.switch}
              labelPosition="left"
              size="md"
              checked={chosen.has(camera.name)}
              onChange={(event) => turn(camera.name, event.currentTarget.checked)}
              label={titleOf(camera)}
              description={titleOf(camera) === camera.name ? undefined : camera.name}
            />
          </li>
        ))}
        {missing
          .filter((name) => name.toLowerCase().includes(requested))
          .map((name) => (
            <li key={name}>
              <Switch
                name="cameras"
                className={classes.switch}
                labelPosition="left"
                size="md"
                checked={chosen.has(name)}
                onChange={(event) => turn(name, event.currentTarget.checked)}
                label={roles.missing({ name })}
                description={roles.missingHint}
              />
            </li>
          ))}
      </ul>
      {found.length === 0 && cameras.length > 0 && requested !== '' && <Text c="dimmed">{roles.noMatchingCamera}</Text>}
      {cameras.length === 0 && missing.length === 0 && <Text c="dimmed">{roles.noCameras}</Text>}
    </div>
  )
}

const missingOf = (chosen: ReadonlySet<string>, cameras: readonly Camera[]): string[] => {
  const existing = new Set(cameras.map(({ name }) => name))
  return [...chosen].filter((name) => !existing.has(name))
}

/** Cameras as badges; those beyond `max` are only counted. */
export function CameraBadges({ cameras, known, max = 6 }: CameraBadgesProps) {
  const { roles } = useTexts('roles')
  return (
    <span className={classes.badges}>
      {cameras.slice(0, max).map((name) => {
        const camera = known.get(name)
        return camera ? (
          <Badge key={name} variant="default" tt="none" fw={500} className={classes.badge}>
            {titleOf(camera)}
          </Badge>
        ) : (
          <Badge
            key={name}
            variant="light"
            color="yellow"
            tt="none"
            fw={500}
            className={classes.badge}
            title={roles.missingHint}
          >
            {roles.missing({ name })}
          </Badge>
        )
      })}
      {cameras.length > max && (
        <Badge variant="default" tt="none" fw={500} className={classes.badge}>
          {roles.more({ count: cameras.length - max })}
        </Badge>
      )}
    </span>
  )
}

interface CameraBadgesProps {
  readonly cameras: readonly string[]
  readonly known: ReadonlyMap<string, Camera>
  readonly max?: number
}
